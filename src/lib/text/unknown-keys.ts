import { z } from 'zod';
import { editDistance } from './edit-distance.ts';
import { isJsonObject } from '../json/json.ts';

type Path = readonly (string | number)[];

/** A key that no schema reads. */
export interface UnknownKey {
  /** Path of the object that contains the key. */
  readonly path: Path;
  readonly key: string;
  /** The known keys of that object. */
  readonly known: readonly string[];
}

/** The keys of some content that its schema does not read, at every depth and in every list entry. */
export const unknownKeys = (schema: z.ZodType, content: unknown, path: Path = []): readonly UnknownKey[] => {
  const bare = withoutWrappers(schema);
  if (bare instanceof z.ZodArray && Array.isArray(content))
    return content.flatMap((entry: unknown, at) =>
      unknownKeys(bare.element as z.ZodType, entry, [...path, at]),
    );
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
};

/** The input schema without its optional, default and transform wrappers. */
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

/** An object with these keys and no others: what is ignored is taken for understood. */
export const objectOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const known = Object.keys(shape);
      const unknown = issue.keys.map((key) => {
        return `${JSON.stringify(key)} is unknown: ${hintOf(closest(key, known), known)}`;
      });
      return unknown.join('; ');
    },
  });

/** The known name that is meant, or all of them. */
export const hintOf = (near: ReturnType<typeof closest>, known: readonly string[]): string =>
  near?.isSlip ? `did you mean ${near.name}?` : `known are ${known.join(', ')}`;

/** The known name closest in spelling to another, ignoring case; null if none are known. */
export const closest = (
  name: string,
  known: readonly string[],
): { readonly name: string; readonly distance: number; readonly isSlip: boolean } | null => {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (best === null || distance < best.distance) best = { name: candidate, distance };
  }
  if (best === null) return null;
  // for short names fewer letters may differ, or everything would match
  return { ...best, isSlip: best.distance <= (best.name.length < 6 ? 1 : 2) };
};
