import type { z } from 'zod';

/** What docs/configuration.md says of a key beside what its schema says. */
export interface KeyNote {
  /** What holds without the key, where the schema does not say. */
  readonly byDefault?: string;
  /** What is expected, in words, where the schema's own type says too little. */
  readonly form?: string;
}

/** A schema with the meaning of the key or variable it stands for. */
export const key = <Schema extends z.ZodType>(schema: Schema, meaning: string, note: KeyNote = {}): Schema =>
  schema.meta({ description: meaning, ...note });

/** The same for a key that may be left out; it may also be null, as files written by tools have it. */
export const optionalKey = <Schema extends z.ZodType>(
  schema: Schema,
  meaning: string,
  note: KeyNote = {},
): z.ZodType<z.output<Schema> | undefined> =>
  key(
    schema.nullish().transform((value) => value ?? undefined),
    meaning,
    note,
  ) as z.ZodType<z.output<Schema> | undefined>;
