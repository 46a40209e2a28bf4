import type { Engine, FacetQuery } from '../../src/engines/engine.ts';
import type { DistinctSampleRequest, DistinctSampleResult } from '../../src/engines/measure.ts';
import { all } from '../../src/sqon/filter.ts';
import { field, range, terms } from './cases/case.ts';
import { distinctSample } from './naive/distinct-sample.ts';

const documents = 1_500;
const places = Array.from({ length: documents }, (_, at) => at);

/** As many values of one field in each document, none of them twice. */
const valuesAt = (at: number, length: number): readonly number[] =>
  Array.from({ length }, (_, other) => at * length + other);

const nameOf = (at: number): string => `${['Å', 'naïve-', '', '日本', '😀'][at % 5]}${at}`;
const countOf = (at: number): string => String(BigInt(at) ** 4n * 7n - 9_007_199_254_740_993n);

/** 30 000 names, more than ten times as many as documents; 12 000 codes, fewer; as many integers as names. */
export const manyValues = {
  mapping: {
    properties: {
      place: { type: 'integer' },
      name: { type: 'keyword' },
      code: { type: 'keyword' },
      count: { type: 'long' },
      size: { type: 'integer' },
      parts: { type: 'nested', properties: { kind: { type: 'keyword' }, name: { type: 'keyword' } } },
    },
  },
  fill: async (engine: Engine, index: string): Promise<void> => {
    for (let from = 0; from < documents; from += 500)
      await engine.write(
        index,
        places.slice(from, from + 500).map((at) => ({
          kind: 'upsert',
          id: String(at),
          document: {
            place: at,
            name: valuesAt(at, 20).map(nameOf),
            code: valuesAt(at, 8).map(String),
            count: valuesAt(at, 20).map(countOf),
            size: valuesAt(at, 20).map((value) => -value),
            parts: [
              { kind: 'a', name: valuesAt(at % 900, 10).map((value) => `a${value}`) },
              { kind: 'b', name: valuesAt(at, 10).map((value) => `b${value}`) },
            ],
          },
        })),
      );
  },
};

interface Sampled {
  readonly facet: FacetQuery;
  readonly expected: DistinctSampleResult;
}

const sampled = (
  path: string,
  type: string,
  values: readonly string[],
  requested: DistinctSampleRequest = {},
  restricted: Partial<FacetQuery> = {},
): Sampled => {
  const measure = { kind: 'distinct_sample', ...requested } as const;
  const on = path.startsWith('parts.') ? field(path, type, 'parts') : field(path, type);
  return {
    facet: { field: on, filter: all, objects: {}, ...restricted, measure },
    expected: distinctSample(values, { type }, measure),
  };
};

const names = valuesAt(0, 20 * documents).map(nameOf);
const first = (count: number) => ({ filter: range(field('place', 'integer'), { lt: count }) });
const listed = names.slice(0, 50).map((name, at) => [name, `shown ${at % 7}`] as const);

/** Samples of these, as the naive oracle makes them. */
export const samplesOfManyValues: Readonly<Record<string, Sampled>> = {
  'texts, far more than documents': sampled('name', 'keyword', names),
  'texts, not so many more': sampled('code', 'keyword', valuesAt(0, 8 * documents).map(String)),
  'integers past 2^53': sampled('count', 'long', valuesAt(0, 20 * documents).map(countOf)),
  'negative integers': sampled(
    'size',
    'integer',
    valuesAt(0, 20 * documents).map((value) => String(-value)),
  ),
  'what a filter leaves': sampled('name', 'keyword', names.slice(0, 12_000), {}, first(600)),
  'few of many': sampled('name', 'keyword', names.slice(0, 100), {}, first(5)),
  'more than one answer has by default, and all of them': sampled(
    'name',
    'keyword',
    names.slice(0, 8_000),
    {},
    first(400),
  ),
  'what a filter leaves of integers': sampled(
    'count',
    'long',
    valuesAt(0, 10_000).map(countOf),
    {},
    first(500),
  ),
  'values that are shown as others': sampled('name', 'keyword', names, { values: listed }),
  'nested objects': sampled('parts.name', 'keyword', [
    ...valuesAt(0, 9_000).map((value) => `a${value}`),
    ...valuesAt(0, 15_000).map((value) => `b${value}`),
  ]),
  'nested objects that a filter leaves': sampled(
    'parts.name',
    'keyword',
    valuesAt(0, 9_000).map((value) => `a${value}`),
    {},
    {
      objects: { parts: terms(field('parts.kind', 'keyword', 'parts'), 'a') },
    },
  ),
};
