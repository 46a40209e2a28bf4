import { z } from 'zod';
import { isJsonObject } from '../../lib/json/json.ts';
import { withoutWrappers } from '../../lib/text/unknown-keys.ts';
import { describeIssue } from '../../lib/text/problem.ts';

/** How a value of the wrong type was read. */
export interface ReadLeniently {
  readonly path: readonly PropertyKey[];
  /** In words: `"true" is read as true`. */
  readonly outcome: string;
}

/** The keys that decide who sees what, and of which documents: a value there is never ignored. */
const strict: ReadonlySet<string> = new Set(
  ['catalogId', 'documentType', 'esIndex', 'esHost', 'esCredentials', 'nestingPrefix', 'sets'].concat(
    ['disclosure', 'network', 'hierarchies'],
    ['disableGraphQLIntrospection', 'disablePlayground', 'disableGraphQLPlayground', 'disableFilters'],
    ['disableDownloads', 'enableSets', 'enableGraphQLBatching'],
  ),
);

/**
 * A value of a catalogue's key, as existing configurations write them: what can only mean one thing is converted to
 * the type of its schema, and anything else of a wrong type is left out, unless it concerns access or the index.
 * @param noted collects what was converted or left out
 * @returns undefined if nothing is left; a strict value as it was
 */
export const readLeniently = (
  key: string,
  schema: z.ZodType,
  value: unknown,
  noted: (reading: ReadLeniently) => void,
): unknown => {
  if (value === null || value === undefined) return value;
  const isStrict = strict.has(key);
  if (isStrict && !(withoutWrappers(schema) instanceof z.ZodBoolean)) return value;
  return mended(schema, value, { path: [key], isStrict, noted });
};

interface Place {
  readonly path: readonly PropertyKey[];
  readonly isStrict: boolean;
  readonly noted: (reading: ReadLeniently) => void;
}

const mended = (schema: z.ZodType, value: unknown, place: Place): unknown => {
  const asWritten = schema.safeParse(value);
  if (asWritten.success) return value;
  const bare = withoutWrappers(schema);
  const converted = conversionOf(bare, value);
  if (converted !== undefined && schema.safeParse(converted).success) {
    place.noted({ path: place.path, outcome: `${printed(value)} is read as ${printed(converted)}` });
    return converted;
  }
  const notes: ReadLeniently[] = [];
  const whole = Array.isArray(converted) ? converted : value;
  const inner = partsOf(bare, whole, { ...place, noted: (note) => notes.push(note) });
  if (place.isStrict || schema.safeParse(inner).success) {
    notes.forEach(place.noted);
    return inner;
  }
  const [issue] = asWritten.error.issues;
  const at = issue!.path.length === 0 ? '' : `${issue!.path.join('.')}: `;
  place.noted({ path: place.path, outcome: `${at}${describeIssue(issue!, value)}: it is not read` });
  return undefined;
};

/** An object or a list without the parts that cannot be read. */
const partsOf = (bare: z.ZodType, value: unknown, place: Place): unknown => {
  if (bare instanceof z.ZodObject && isJsonObject(value)) {
    const read = Object.entries(value).map(([name, part]) => {
      const schema = Object.hasOwn(bare.shape, name) ? (bare.shape[name] as z.ZodType) : undefined;
      return [name, schema === undefined ? part : mended(schema, part, below(place, name))] as const;
    });
    return Object.fromEntries(read.filter(([, part]) => part !== undefined));
  }
  if (!(bare instanceof z.ZodArray) || !Array.isArray(value)) return value;
  const read = value.map((part: unknown, at) => mended(bare.element as z.ZodType, part, below(place, at)));
  return read.filter((part) => part !== undefined);
};

const below = (place: Place, step: PropertyKey): Place => ({ ...place, path: [...place.path, step] });

/** The only meaning that a value of another type can have; undefined if it has none. */
const conversionOf = (bare: z.ZodType, value: unknown): unknown => {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (bare instanceof z.ZodBoolean) return booleans.get(String(value).trim().toLowerCase());
  if (bare instanceof z.ZodNumber)
    return typeof value === 'string' && Number.isFinite(Number(value || NaN)) ? Number(value) : undefined;
  if (bare instanceof z.ZodString) return isScalar ? String(value) : undefined;
  if (!(bare instanceof z.ZodArray) || Array.isArray(value)) return undefined;
  const isEmpty = value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
  return isEmpty ? undefined : [value];
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Any caller may see how a catalogue's files were read: short values only. */
const printed = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
};
