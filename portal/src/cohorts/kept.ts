import { useSyncExternalStore } from 'react';
import { isGrowing, type Overview } from '../api/answer.ts';
import type { Filter } from '../api/filter.ts';
import { store, stored } from '../look/stored.ts';
import { isCohort, type Cohort } from '../state/view.ts';

/** A cohort stored in this browser. */
export interface KeptCohort extends Cohort {
  /** The id of the network or catalogue that its fields belong to. */
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

/** The cohorts of a file or of the browser's storage; null for anything else. Malformed ones are left out. */
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

/** A name that no other cohort has: with a number appended if necessary. */
export const freeName = (name: string, others: readonly Pick<Cohort, 'name'>[]): string => {
  const isTaken = (wanted: string): boolean => others.some((other) => other.name === wanted);
  for (let at = 1; ; at += 1) {
    const wanted = at === 1 ? name : `${name} (${at})`;
    if (!isTaken(wanted)) return wanted;
  }
};

/** How cohorts are combined: in any of them, in all, in the first but in none of the others. */
export type Combination = 'union' | 'intersection' | 'difference';

/** The filter of several cohorts together. */
export const combinedFilter = (how: Combination, cohorts: readonly Cohort[]): Filter => {
  if (how === 'union') return { op: 'or', content: cohorts.map(apart) };
  return exactlyIn(cohorts, how === 'intersection' ? [...cohorts.keys()] : [0]);
};

/** The filter for records in the cohorts at these positions and in none of the others. */
export const exactlyIn = (cohorts: readonly Cohort[], members: readonly number[]): Filter => ({
  op: 'and',
  content: cohorts.map((cohort, at) =>
    members.includes(at) ? apart(cohort) : { op: 'not', content: [apart(cohort)] },
  ),
});

/** Each filter stays in its own brackets, so that nested conditions do not mix. */
const apart = ({ filter }: Cohort): Filter => ({ op: 'and', content: filter === null ? [] : [filter] });

/** The size to be stored: a lower bound if some institution did not answer; null if none did, or one still may. */
export const sizeNow = (overview: Overview): NonNullable<KeptCohort['then']> | null => {
  const { total, upper, partial } = overview;
  if (total === null || isGrowing(overview)) return null;
  const most = partial || upper === Infinity ? null : upper;
  return { count: total, upper: most, day: new Date().toISOString().slice(0, 10) };
};

/** A name is unique among the cohorts of a source. */
const isSame = (one: KeptCohort, other: KeptCohort): boolean =>
  one.name === other.name && one.source === other.source;

/** The list with a cohort added at the front, replacing one with its name. */
export const withSaved = (kept: readonly KeptCohort[], cohort: KeptCohort): readonly KeptCohort[] => [
  cohort,
  ...kept.filter((one) => !isSame(one, cohort)),
];

/** The list with others added at the front, under unused names. */
export const withAdded = (
  kept: readonly KeptCohort[],
  cohorts: readonly KeptCohort[],
): readonly KeptCohort[] => [
  ...cohorts.reduce<readonly KeptCohort[]>(
    (all, cohort) => [...all, { ...cohort, name: freeName(cohort.name, [...kept, ...all]) }],
    [],
  ),
  ...kept,
];

/** The list with a cohort changed in place; unchanged if it no longer exists. */
export const withChanged = (
  kept: readonly KeptCohort[],
  cohort: KeptCohort,
  now: Partial<KeptCohort>,
): readonly KeptCohort[] => kept.map((one) => (isSame(one, cohort) ? { ...one, ...now } : one));

/** The list without a cohort. */
export const withoutCohort = (kept: readonly KeptCohort[], cohort: KeptCohort): readonly KeptCohort[] =>
  kept.filter((one) => !isSame(one, cohort));

const key = 'cohorts';
const listeners = new Set<() => void>();
let read: { readonly text: string; readonly cohorts: readonly KeptCohort[] } = { text: '', cohorts: [] };

/** The cohorts stored in this browser, newest first. */
export const keptCohorts = (): readonly KeptCohort[] => {
  const text = stored(key) ?? '';
  if (text !== read.text) read = { text, cohorts: cohortsIn(text) ?? [] };
  return read.cohorts;
};

/**
 * Changes the stored cohorts, which may be newer than what a component has rendered; a browser without storage, or with
 * full storage, keeps them as long as the page.
 */
export const changeKept = (change: (kept: readonly KeptCohort[]) => readonly KeptCohort[]): void => {
  const cohorts = change(keptCohorts());
  if (!store(key, fileOfCohorts(cohorts))) read = { text: stored(key) ?? '', cohorts };
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

/** The cohorts of a source that are stored in this browser, for a component that follows their changes. */
export const useKept = (sourceId: string | undefined): readonly KeptCohort[] =>
  useSyncExternalStore(follow, keptCohorts).filter(({ source }) => source === sourceId);
