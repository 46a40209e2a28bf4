import type { z } from 'zod';

/** What docs/configuration.md prints about a key in addition to its schema. */
export interface KeyNote {
  /** The default, if the schema does not give one. */
  readonly byDefault?: string;
  /** The expected form in words, where the schema's type is not specific enough. */
  readonly form?: string;
}

/** A schema annotated with the meaning of its key or variable. */
export const key = <Schema extends z.ZodType>(schema: Schema, meaning: string, note: KeyNote = {}): Schema =>
  schema.meta({ description: meaning, ...note });

/** Describes an optional key, which may also be null, as in files written by tools. */
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
