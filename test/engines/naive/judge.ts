import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { isIntegerType, kindOf } from '../../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import type { Filter, PatternPart } from '../../../src/sqon/filter.ts';
import { nestedAbove, objectsAt, propertyAt, stored, valuesIn, type Value } from './values.ts';
import { holdsWord } from './word.ts';

/** What is judged: a document (path '') or one of its nested objects. */
export interface Judged {
  readonly id: string;
  readonly object: JsonObject;
  readonly path: string;
}

/** Whether an object satisfies a filter, word by word as filter.ts says. */
export const satisfies = (properties: JsonObject, filter: Filter, judged: Judged): boolean => {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return filter.of.every((part) => satisfies(properties, part, judged));
    case 'or':
      return filter.of.some((part) => satisfies(properties, part, judged));
    case 'not':
      return !satisfies(properties, filter.of, judged);
    case 'nested':
      return objectsAt(judged.object, judged.path, filter.path).some((object) =>
        satisfies(properties, filter.of, { id: judged.id, object, path: filter.path }),
      );
    default:
      return leafHolds(properties, filter, judged);
  }
};

type Leaf = Extract<Filter, { field: unknown }>;

const leafHolds = (properties: JsonObject, leaf: Leaf, judged: Judged): boolean => {
  const { path } = leaf.field;
  if (leaf.kind === 'exists') return exists(properties, path, judged);
  const open =
    leaf.kind === 'range' && [leaf.gt, leaf.gte, leaf.lt, leaf.lte].every((bound) => bound === undefined);
  if (open) return exists(properties, path, judged);
  const property = path === '_id' ? { type: 'keyword' } : propertyAt(properties, path);
  if (property === undefined) return false;
  if (path !== '_id' && nestedAbove(properties, path) !== judged.path) {
    throw new Error(`${path} judged on ${judged.path}`);
  }
  const held = path === '_id' ? [judged.id] : valuesIn(properties, judged.object, judged.path, path);
  const values = property['type'] === 'text' ? held.filter((word) => word !== '') : held;
  switch (leaf.kind) {
    case 'terms':
      return values.some((value) => leaf.values.some((wanted) => equals(property, value, wanted)));
    case 'range':
      return values.some((value) => within(property, value, leaf));
    case 'word': {
      const texts = values.map(String).filter((value) => leaf.except?.includes(value) !== true);
      return holdsWord(texts, leaf, property['type'] === 'text');
    }
    case 'pattern':
      return values.some(
        (value) =>
          regexOf(leaf.pattern, leaf.caseInsensitive).test(String(value)) &&
          leaf.except?.includes(String(value)) !== true,
      );
  }
};

const exists = (properties: JsonObject, path: string, judged: Judged): boolean => {
  if (path === '_id') return true;
  const property = propertyAt(properties, path);
  if (property === undefined) return false;
  if (property['type'] === 'nested') return objectsAt(judged.object, judged.path, path).length > 0;
  const children = Object.entries((property['properties'] ?? {}) as Record<string, JsonObject>);
  return (
    valuesIn(properties, judged.object, judged.path, path).length > 0 ||
    children.some(
      ([key, child]) => child['type'] !== 'nested' && exists(properties, `${path}.${key}`, judged),
    )
  );
};

const equals = (property: JsonObject, value: Value, wanted: string | number | boolean): boolean => {
  switch (kindOf(String(property['type']))) {
    case 'number':
      return typeof wanted !== 'boolean' && wanted !== '' && equalNumbers(property, value, wanted);
    default:
      return String(value) === String(wanted);
  }
};

const equalNumbers = (property: JsonObject, value: Value, wanted: string | number): boolean => {
  if (!isIntegerType(String(property['type']))) return value === stored(property, Number(wanted));
  // == compares a bigint with a number exactly
  return value == (/^-?\d+$/.test(String(wanted)) ? BigInt(wanted) : Number(wanted));
};

interface Bounds {
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
}

const within = (property: JsonObject, value: Value, bounds: Bounds): boolean => {
  const kind = kindOf(String(property['type']));
  const bound = (raw: string | number): Value => {
    if (kind === 'keyword' || kind === 'text') return String(raw);
    if (kind === 'boolean') return String(raw) === 'true' || raw === '1';
    if (typeof raw === 'number') return property['type'] === 'scaled_float' ? raw : stored(property, raw);
    if (Number.isNaN(Number(raw))) throw refused(raw);
    return /^-?\d+$/.test(raw) ? BigInt(raw) : Number(raw);
  };
  return (
    (bounds.gt === undefined || compareValues(value, bound(bounds.gt)) > 0) &&
    (bounds.gte === undefined || compareValues(value, bound(bounds.gte)) >= 0) &&
    (bounds.lt === undefined || compareValues(value, bound(bounds.lt)) < 0) &&
    (bounds.lte === undefined || compareValues(value, bound(bounds.lte)) <= 0)
  );
};

const refused = (raw: string): TributaryError =>
  new TributaryError('BAD_USER_INPUT', `${raw} is not a bound`);

/** Strings by their UTF-8 bytes, false before true, numbers as numbers. */
export const compareValues = (left: Value, right: Value): number => {
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left < right ? -1 : left > right ? 1 : left == right ? 0 : NaN;
};

const regexOf = (pattern: readonly PatternPart[], caseInsensitive: boolean): RegExp => {
  const source = pattern.map((part) => {
    if ('wildcard' in part) return part.wildcard === 'any' ? '.*' : '.';
    return Array.from(part.literal, (character) => {
      if (caseInsensitive && /[a-zA-Z]/.test(character)) {
        return `[${character.toLowerCase()}${character.toUpperCase()}]`;
      }
      return `\\u{${character.codePointAt(0)!.toString(16)}}`;
    }).join('');
  });
  return new RegExp(`^${source.join('')}$`, 'su');
};
