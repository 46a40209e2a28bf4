import { z } from 'zod';

/** What docs/configuration.md prints about a key in addition to its schema. */
export interface KeyNote {
  /** The default, if the schema does not give one. */
  readonly byDefault?: string;
  /** The expected form in words, where the schema's type is not specific enough. */
  readonly form?: string;
  /** The form says all about the keys below. */
  readonly isDescribedElsewhere?: boolean;
}

/** A schema annotated with the meaning of its key or variable. */
export const key = <Schema extends z.ZodType>(schema: Schema, meaning: string, note: KeyNote = {}): Schema =>
  schema.meta({ description: meaning, ...note });

/** Describes an optional key, which may also be null, as in files written by tools. */
export const optionalKey = <Schema extends z.ZodType>(
  schema: Schema,
  meaning: string,
  note: KeyNote = {},
): z.ZodOptional<z.ZodType<z.output<Schema>>> =>
  key(
    schema.nullish().transform((value) => value ?? undefined),
    meaning,
    note,
  ) as unknown as z.ZodOptional<z.ZodType<z.output<Schema>>>;

/** A key that is refused. @param reason what to do instead */
export const withdrawn = (reason: string) =>
  z
    .unknown()
    .refine((value) => value === undefined, reason)
    .meta({ isUnlisted: true })
    .optional();

/** The greatest number that introspection can show as a GraphQL Int. */
export const maxShown = 2_147_483_647;

/** A number of rows that introspection shows. */
export const shownCount = (min: number) =>
  z.int().min(min).max(maxShown, `a number of at most ${maxShown} expected`);
