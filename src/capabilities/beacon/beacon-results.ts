import type { BeaconConfig } from '../../introspection/fields/about.ts';
import { putAt, valueAt, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { CatalogueHit, CatalogueResult } from '../../search/query.ts';
import { existsIn, isExact, lowerOf, upperOf, type Count } from '../../search/count.ts';
import type { NodeStatus } from '../../search/nodes-answer.ts';
import type { BeaconRequest, Granularity } from './beacon-request.ts';

/** The parts of a beacon's response that depend on records. */
export interface BeaconAnswer {
  readonly responseSummary: object;
  /** Result sets, one for each institution; null if only the total is answered. */
  readonly resultSets: readonly object[] | null;
  readonly info: object | null;
}

interface AnswerParts {
  readonly request: Pick<BeaconRequest, 'include'>;
  /** The granularity of the answer, which may be less than requested. */
  readonly granularity: Granularity;
  /** Whether result sets are included. */
  readonly hasSets: boolean;
  /** The id of a catalogue's result set. */
  readonly datasetId: string;
  readonly config: BeaconConfig;
  readonly warnings: readonly string[];
}

/** Formats the result of a search. Institutions that did not answer are named, without a result set. */
export const answerOf = (result: CatalogueResult, parts: AnswerParts): BeaconAnswer => {
  const { granularity, hasSets, request } = parts;
  const whole = result.total ?? anyNumber;
  const sets = setsOf(result, parts).filter(
    ({ count }) =>
      ({ ALL: true, HIT: mayExist(count), MISS: !mayExist(count), NONE: false })[request.include],
  );
  return {
    responseSummary: summaryOf(whole, granularity),
    resultSets: hasSets && granularity !== 'boolean' ? sets.map(({ set }) => set) : null,
    info: infoOf(result, whole, parts),
  };
};

/** What was not counted. */
const anyNumber: Count = { lower: 0, upper: null };

const mayExist = (count: Count): boolean => existsIn(count) !== false;

/** The keys that version 2.2 adds to counts. */
const precisionOf = (count: Count) => {
  if (isExact(count)) return { countPrecision: 'exact' };
  const upper = upperOf(count);
  return {
    countPrecision: 'imprecise',
    ...(upper !== null && { countAdjustedTo: [lowerOf(count), upper] }),
  };
};

const summaryOf = (count: Count, granularity: Granularity): object => ({
  exists: mayExist(count),
  ...(granularity !== 'boolean' && { numTotalResults: lowerOf(count), ...precisionOf(count) }),
});

/** The keys from which clients older than version 2.2 read bounds. */
const rangeOf = (count: Count): object => {
  const upper = upperOf(count);
  return { minRange: lowerOf(count), ...(upper !== null && { maxRange: upper }) };
};

const infoOf = (result: CatalogueResult, whole: Count, parts: AnswerParts): object | null => {
  const statuses = result.nodes?.statuses ?? [];
  const isCounted = parts.granularity !== 'boolean' && !isExact(whole);
  const missing = statuses.filter(({ state }) => state !== 'ok' && state !== 'excluded');
  const uncovered = statuses.filter(
    ({ state, uncoveredFields }) => state === 'ok' && uncoveredFields.length > 0,
  );
  const messages = [
    ...parts.warnings,
    ...(existsIn(whole) === null ? ['whether there are any matches is not certain'] : []),
    ...missing.map(({ name, state }) => `${name} did not answer (${state}): its records are not counted`),
    ...uncovered.map(({ name, uncoveredFields }) => `${name} has no ${uncoveredFields.join(', ')}`),
  ];
  const info = {
    ...(isCounted && { resultCountDescription: rangeOf(whole) }),
    ...(statuses.length > 0 && {
      partial: result.nodes?.partial ?? false,
      nodes: statuses.map(({ nodeId, name, state, code }) => ({
        id: nodeId,
        name,
        state,
        ...(code && { code }),
      })),
    }),
    ...(messages.length > 0 && { warnings: { messages } }),
  };
  return Object.keys(info).length === 0 ? null : info;
};

interface ResultSet {
  readonly count: Count;
  readonly set: object;
}

const setsOf = (result: CatalogueResult, parts: AnswerParts): readonly ResultSet[] => {
  if (result.nodes === undefined) {
    const count = result.total ?? anyNumber;
    return [setOf({ id: parts.datasetId, count, hits: result.hits }, parts)];
  }
  return result.nodes.statuses
    .filter(({ state }) => state === 'ok')
    .toSorted((left, right) => (left.nodeId < right.nodeId ? -1 : 1))
    .map((status) => setOf(ofNode(status, result.hits), parts));
};

const ofNode = ({ nodeId, name, hits }: NodeStatus, all: readonly CatalogueHit[]) => ({
  id: nodeId,
  name,
  count: hits ?? anyNumber,
  hits: all.filter((hit) => hit.nodeId === nodeId),
});

interface SetContent {
  readonly id: string;
  readonly name?: string;
  readonly count: Count;
  readonly hits: readonly CatalogueHit[];
}

const setOf = ({ id, name, count, hits }: SetContent, { config }: AnswerParts): ResultSet => {
  const info = {
    ...(name !== undefined && { name }),
    ...(!isExact(count) && { resultCountDescription: rangeOf(count) }),
  };
  return {
    count,
    set: {
      id,
      setType: 'dataset',
      exists: mayExist(count),
      resultsCount: lowerOf(count),
      ...precisionOf(count),
      results: hits.map((hit) => recordOf(hit, config.projection)),
      ...(Object.keys(info).length > 0 && { info }),
    },
  };
};

/** A document unchanged with its id, or its values at the places that the projection names. */
const recordOf = ({ id, source }: CatalogueHit, projection: BeaconConfig['projection']): JsonObject => {
  if (projection === undefined) return { id, ...source };
  const record: Record<string, JsonValue> = { id };
  for (const [target, path] of Object.entries(projection)) {
    const value = valueAt(source, path);
    if (value !== undefined && value !== null) putAt(record, target.split('.'), structuredClone(value));
  }
  return record;
};
