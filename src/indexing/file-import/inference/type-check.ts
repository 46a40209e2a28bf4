import { isIP } from 'node:net';
import { isDatePattern } from '../../../introspection/dates/date-pattern.ts';
import { namedDatePattern, parseDate, startsDateMath } from '../../../introspection/dates/dates.ts';
import { integerRange, kindOf } from '../../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';

/**
 * Why a document's values do not fit the types of a mapping; null if they do. It is stricter than an engine, which
 * would keep a fraction in `_source` and index it truncated, and it needs no engine, so that a dry run agrees.
 * @param properties the mapping's `properties`
 * @param noun the word for a path in messages: column or field
 */
export const typeMisfit = (
  properties: JsonObject,
  document: JsonObject,
  noun: 'column' | 'field',
): string | null => misfitInside(properties, document, '', noun);

const misfitInside = (
  properties: JsonObject,
  object: JsonObject,
  prefix: string,
  noun: string,
): string | null => {
  for (const name in object) {
    const value = object[name];
    const definition = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value === undefined || value === null || !isJsonObject(definition)) continue;
    const misfit = misfitOf(definition, value, prefix + name, noun);
    if (misfit !== null) return misfit;
  }
  return null;
};

const misfitOf = (definition: JsonObject, value: JsonValue, path: string, noun: string): string | null => {
  if (value === null) return null;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const misfit = misfitOf(definition, item, path, noun);
      if (misfit !== null) return misfit;
    }
    return null;
  }
  const type = typeof definition['type'] === 'string' ? definition['type'] : 'object';
  const kind = kindOf(type);
  if (isJsonObject(value)) {
    if (kind !== 'object' && kind !== 'nested') return null;
    const below = definition['properties'];
    return isJsonObject(below) && definition['enabled'] !== false
      ? misfitInside(below, value, `${path}.`, noun)
      : null;
  }
  if (definition['ignore_malformed'] === true) return null;
  return fits(value as string | number | boolean, type, definition)
    ? null
    : `${noun} ${path}: ${shown(value)} is not of type ${type}`;
};

const shown = (value: JsonValue): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

/** Types that are not checked here are left to the engine. */
const fits = (value: string | number | boolean, type: string, definition: JsonObject): boolean => {
  switch (kindOf(type)) {
    case 'number':
      return value === '' || (typeof value !== 'boolean' && isNumberOf(value, type));
    case 'boolean':
      return typeof value === 'boolean' || ['true', 'false', ''].includes(String(value));
    case 'date':
      return isDateOf(value, type, definition);
    case 'keyword':
    case 'text':
    case 'range':
    case 'flattened':
    case 'json':
    case 'object':
    case 'nested':
      return type !== 'ip' || isIP(String(value)) !== 0;
  }
};

const wholeText = /^[+-]?\d+$/;
const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const isNumberOf = (value: string | number, type: string): boolean => {
  if (typeof value === 'string' && !numberText.test(value)) return false;
  const number = Number(value);
  const range = integerRange(type);
  if (range === null) return Number.isFinite(type === 'float' ? Math.fround(number) : number);
  if (Number.isSafeInteger(number)) return number >= range.min && number <= range.max;
  if (!Number.isInteger(number)) return false;
  const exact = BigInt(typeof value === 'string' && wholeText.test(value) ? value.replace('+', '') : number);
  return exact >= range.min && exact <= range.max;
};

const isoFormats = new Set([
  'epoch_millis',
  'epoch_second',
  'strict_date_optional_time',
  'strict_date_optional_time_nanos',
  'date_optional_time',
  'iso8601',
]);

const isDateOf = (value: string | number | boolean, type: string, { format }: JsonObject): boolean => {
  if (typeof value === 'boolean') return false;
  const formats = typeof format === 'string' ? format.split('||').map((one) => one.trim()) : [];
  const isKnown = (one: string): boolean =>
    isoFormats.has(one) || isDatePattern(namedDatePattern(one) ?? one);
  if (type !== 'date' || !formats.every(isKnown)) return true;
  return (
    !startsDateMath(String(value)) && parseDate(value, formats[0] && formats.join('||'), 'down') !== null
  );
};
