import { z } from 'zod';
import { editDistance } from './edit-distance.ts';
import { isJsonObject } from './json.ts';

type Path = readonly (string | number)[];

/** A key that no schema reads. */
export interface UnknownKey {
  /** Of the object that holds it. */
  readonly path: Path;
  readonly key: string;
  /** The keys that are read there. */
  readonly known: readonly string[];
}

/** The keys of a content that its schema does not read, at every depth; of lists, of every entry. */
export const unknownKeys = (schema: z.ZodType, content: unknown, path: Path = []): readonly UnknownKey[] => {
  const bare = withoutWrappers(schema);
  if (bare instanceof z.ZodArray && Array.isArray(content))
    return content.flatMap((entry: unknown, at) => unknownKeys(bare.element as z.ZodType, entry, [...path, at]));
  if (!isJsonObject(content)) return [];
  if (bare instanceof z.ZodRecord)
    return Object.entries(content).flatMap(([key, value]) =>
      unknownKeys(bare.valueType as z.ZodType, value, [...path, key]),
    );
  if (!(bare instanceof z.ZodObject)) return [];
  const known = Object.keys(bare.shape);
  return Object.entries(content).flatMap(([key, value]) =>
    known.includes(key)
      ? unknownKeys(bare.shape[key] as z.ZodType, value, [...path, key])
      : [{ path, key, known }],
  );
}; // prettier-ignore

/** What a schema takes in, without what makes it optional, gives it a default or transforms it. */
export const withoutWrappers = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodPipe) return withoutWrappers(schema.in as z.ZodType);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return withoutWrappers(schema.unwrap() as z.ZodType);
  return schema;
};

/** The known name that is spelt most like a given one, whatever the case of letters; null among none. */
export const closest = (
  name: string,
  known: readonly string[],
): { readonly name: string; readonly isSlip: boolean } | null => {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (best === null || distance < best.distance) best = { name: candidate, distance };
  }
  if (best === null) return null;
  // of a short name fewer letters may differ, or everything looks like it
  return { name: best.name, isSlip: best.distance <= (best.name.length < 6 ? 1 : 2) };
};
