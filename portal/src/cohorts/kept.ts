import { useSyncExternalStore } from 'react';
import type { Filter } from '../api/filter.ts';
import { store, stored } from '../look/stored.ts';
import { isCohort, type Cohort } from '../state/view.ts';

/** A cohort that this browser keeps. */
export interface KeptCohort extends Cohort {
  /** The id of the network or catalogue that its fields are of. */
  readonly source: string;
  /** How many records it had when it was saved; unset: not known yet. */
  readonly then?: { readonly count: number; readonly upper: number | null; readonly day: string };
}

const isKept = (value: unknown): value is KeptCohort => {
  if (!isCohort(value)) return false;
  const { source, then } = value as Cohort & Readonly<Record<string, unknown>>;
  return typeof source === 'string' && (then === undefined || isSize(then));
};

const isSize = (value: unknown): boolean => {
  const { count, upper, day } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isUpper = upper === null || typeof upper === 'number';
  return typeof count === 'number' && isUpper && typeof day === 'string' && !Number.isNaN(Date.parse(day));
};

/** The cohorts of a file or of the browser's storage; null for anything else. Those that are malformed are left out. */
export const cohortsIn = (text: string): readonly KeptCohort[] | null => {
  try {
    const read: unknown = JSON.parse(text);
    const list = typeof read === 'object' && read !== null && 'cohorts' in read ? read.cohorts : null;
    return Array.isArray(list) ? list.filter(isKept) : null;
  } catch {
    return null;
  }
};

/** Cohorts as the content of a file. */
export const fileOfCohorts = (cohorts: readonly KeptCohort[]): string =>
  JSON.stringify({ 'tributary-cohorts': 1, cohorts }, null, 2);

/** A name that no other cohort has: with a number behind it where one does. */
export const freeName = (name: string, others: readonly Pick<Cohort, 'name'>[]): string => {
  const isTaken = (wanted: string): boolean => others.some((other) => other.name === wanted);
  for (let at = 1; ; at += 1) {
    const wanted = at === 1 ? name : `${name} (${at})`;
    if (!isTaken(wanted)) return wanted;
  }
};

/** How cohorts are combined: in any of them, in all, in the first but in none of the others. */
export type Combination = 'union' | 'intersection' | 'difference';

/** The filter of several cohorts together. Each stays in brackets of its own, so that no nested conditions mix. */
export const combinedFilter = (how: Combination, cohorts: readonly Cohort[]): Filter => {
  const parts = cohorts.map(({ filter }): Filter => ({
    op: 'and',
    content: filter === null ? [] : [filter],
  }));
  if (how === 'union') return { op: 'or', content: parts };
  const [first, ...others] = parts;
  return how === 'intersection'
    ? { op: 'and', content: parts }
    : { op: 'and', content: [first!, ...others.map((other): Filter => ({ op: 'not', content: [other] }))] };
};

/** A size as it is kept. */
export const sizeNow = (count: number, upper: number): NonNullable<KeptCohort['then']> => ({
  count,
  upper: upper === Infinity ? null : upper,
  day: new Date().toISOString().slice(0, 10),
});

const key = 'cohorts';
const listeners = new Set<() => void>();
let read: { readonly text: string; readonly cohorts: readonly KeptCohort[] } = { text: '', cohorts: [] };

/** The cohorts that this browser keeps, the newest first. */
export const keptCohorts = (): readonly KeptCohort[] => {
  const text = stored(key) ?? '';
  if (text !== read.text) read = { text, cohorts: cohortsIn(text) ?? [] };
  return read.cohorts;
};

/** Keeps these cohorts instead of those that were kept; a browser without storage keeps them as long as the page. */
export const keepCohorts = (cohorts: readonly KeptCohort[]): void => {
  const text = fileOfCohorts(cohorts);
  store(key, text);
  if ((stored(key) ?? '') === text || stored(key) === null) read = { text: stored(key) ?? '', cohorts };
  listeners.forEach((listener) => listener());
};

const follow = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // another tab of these pages
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

/** The cohorts that this browser keeps, for a component that follows them. */
export const useKept = (): readonly KeptCohort[] => useSyncExternalStore(follow, keptCohorts);
