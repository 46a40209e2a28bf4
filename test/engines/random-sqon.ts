import { readFields } from '../../src/introspection/mapping/mapping.ts';
import type { Field, Fields } from '../../src/introspection/fields/field.ts';
import type { JsonObject, JsonValue } from '../../src/lib/json/json.ts';
import { compileSqon } from '../../src/sqon/compile.ts';
import { parseSqon } from '../../src/sqon/parse.ts';
import {
  bigNumbers,
  dates,
  days,
  hugeNumbers,
  mixedMapping,
  wholeNumbers,
  words,
  type Random,
} from './random-documents.ts';

/** The fields of the mixed mapping as a catalogue has them. */
export const mixedCatalogue: Fields = readFields(mixedMapping['properties'] as JsonObject).fields;

const leaves = [...mixedCatalogue.values()].filter(({ kind }) => kind !== 'json');
const pivots = leaves.filter(({ kind }) => kind === 'nested').map(({ path }) => path);

/** A random filter as clients write it: all operators, groups to some depth, pivots to every level. */
export const randomSqon = (random: Random, depth: number): JsonObject => {
  const pivot = random.chance(0.3) ? { pivot: random.pick(pivots) } : {};
  if (depth > 0 && random.chance(0.6)) {
    const content = Array.from({ length: random.below(4) }, () => randomSqon(random, depth - 1));
    return { op: random.pick(['and', 'or', 'not']), content, ...pivot };
  }
  const field = random.pick(leaves);
  if ((field.kind === 'number' || field.kind === 'date') && random.chance(0.4)) {
    const value = Array.from({ length: 1 + random.below(3) }, () => valueFor(random, field));
    const op = random.pick(['gt', 'gte', 'lt', 'lte', 'between']);
    const bounds = op === 'between' ? orderedBounds(field.path, value) : value;
    return { op, content: { fieldName: field.path, value: bounds }, ...pivot };
  }
  if (random.chance(0.1)) return randomSearch(random, pivot);
  if (random.chance(0.1)) {
    const fieldNames = Array.from({ length: 1 + random.below(3) }, () => random.pick(leaves).path);
    return { op: random.pick(['filter', 'wildcard']), content: { fieldNames, value: randomPattern(random) } };
  }
  const value = Array.from({ length: random.below(4) }, () => listValue(random, field));
  const op = random.pick(['in', 'in', 'not-in', 'some-not-in', 'all', 'is']);
  const fieldName = random.chance(0.03) ? 'unheard.of' : field.path;
  return { op, content: { fieldName, value }, ...pivot };
};

const randomSearch = (random: Random, pivot: JsonObject): JsonObject => {
  const texts = leaves.filter(({ kind }) => kind === 'keyword' || kind === 'text');
  if (random.chance(0.3))
    return {
      op: 'starts-with',
      content: { fieldName: random.pick(texts).path, value: random.pick(words) },
      ...pivot,
    };
  const fieldNames = Array.from({ length: 1 + random.below(3) }, () => random.pick(leaves).path);
  const value = Array.from({ length: random.below(3) }, () => random.pick(words)).join(' ');
  return { op: 'search', content: { fieldNames, value, wholeWords: random.chance(0.2) }, ...pivot };
};

/** Two of the values as between takes them. */
const orderedBounds = (fieldName: string, values: readonly JsonValue[]): readonly JsonValue[] => {
  const pair = values.slice(0, 2);
  try {
    compileSqon(parseSqon({ op: 'between', content: { fieldName, value: pair } }), mixedCatalogue);
    return pair;
  } catch {
    return pair.toReversed();
  }
};

const listValue = (random: Random, field: Field): JsonValue => {
  if (random.chance(0.15)) return '__missing__';
  const isText = field.kind === 'keyword' || field.kind === 'text';
  if (isText && random.chance(0.25)) return randomPattern(random);
  return valueFor(random, field);
};

const randomPattern = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => random.pick(['*', '?', '**', ...words])).join('');

const valueFor = (random: Random, { kind, type, path }: Field): JsonValue => {
  switch (kind) {
    case 'number':
      if (type === 'unsigned_long') return random.pick(hugeNumbers);
      if (type === 'long') return random.pick([...bigNumbers, ...wholeNumbers, '7']);
      return random.pick([...wholeNumbers, 0.1, 0.5, 19.99, 2.25, '1e2', 300]);
    case 'date':
      return path === 'day'
        ? random.pick([...days, ...dates])
        : random.pick([...dates, '2020', '-0206', '2020-01-01||+1d/d']);
    case 'boolean':
      return random.pick([true, false, 'true', 0]);
    case 'text':
      return random.pick(words);
    default:
      return random.pick(words);
  }
};
