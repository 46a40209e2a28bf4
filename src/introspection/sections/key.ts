import { z } from 'zod';
import { calendarUnits } from '../fields/catalogue-config.ts';

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
): z.ZodType<z.output<Schema> | undefined> =>
  key(
    schema.nullish().transform((value) => value ?? undefined),
    meaning,
    note,
  ) as z.ZodType<z.output<Schema> | undefined>;

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

const ascending = z
  .array(z.number({ error: 'a number expected' }))
  .min(1)
  .refine((edges) => edges.every((edge, index) => index === 0 || edge > edges[index - 1]!), {
    error: 'numbers in ascending order expected',
  });

/** Keys of a dimension whose values are counted between edges. */
export const intervalKeys = {
  edges: optionalKey(ascending, 'For numbers: the edges between which they are counted.'),
  calendar: optionalKey(
    z.enum(calendarUnits, { error: 'one of "year", "quarter" and "month" expected' }),
    'For dates: the interval of counts, with `from` and `to`.',
  ),
  from: optionalKey(z.string(), 'The first interval: `2015`, `2015-04`.'),
  to: optionalKey(z.string(), 'The last one.'),
};

interface Calendar {
  readonly calendar?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Whether `calendar`, `from` and `to` are either all there or all absent. */
export const isWholeCalendar = ({ calendar, from, to }: Calendar): boolean =>
  (calendar === undefined) === (from === undefined) && (from === undefined) === (to === undefined);
