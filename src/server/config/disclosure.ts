import { z } from 'zod';
import { tiers, type DisclosureConfig } from '../../introspection/fields/catalogue-config.ts';
import { key, optionalKey } from '../../introspection/fields/key.ts';
import { intervalKeys, isWholeCalendar } from '../../introspection/fields/interval-keys.ts';

const tier = z.enum(tiers, {
  error: 'one of "none", "boolean", "counts" and "records" expected',
});

const scalar = z.union([z.string().min(1), z.number(), z.boolean()], {
  error: 'a string, number or boolean expected',
});

const within = z.strictObject({
  fieldName: key(z.string(), 'The other dimension.'),
  values: key(z.record(z.string(), z.string()), 'This value -> that of the other.', {
    form: 'object of texts',
  }),
});

const dimension = z
  .strictObject({
    fieldName: key(z.string().min(1), 'The field.'),
    ...intervalKeys,
    values: optionalKey(z.array(scalar).min(1), 'The values counted; those of a pattern (`C50*`) as one.', {
      form: 'list of texts or numbers',
    }),
    other: optionalKey(z.boolean(), 'Other values are counted together; `false`: none exist.', {
      byDefault: '`true`',
    }),
    most: optionalKey(z.int().min(1).max(200), 'How many of the most frequent values are counted.', {
      byDefault: '40',
    }),
    mandatory: optionalKey(z.boolean(), 'Each person is known to have a value.', {
      byDefault: '`false`',
    }),
    within: optionalKey(within, 'Values belong to values of another dimension.', { form: 'object' }),
  })
  .superRefine((entry, context) => {
    const present = (['edges', 'calendar', 'values', 'most'] as const).filter(
      (name) => entry[name] !== undefined,
    );
    if (present.length > 1)
      context.addIssue({ code: 'custom', message: `only one of ${present.join(' and ')} expected` });
    if (!isWholeCalendar(entry))
      context.addIssue({ code: 'custom', message: 'calendar, from and to expected together' });
  });

/** ISO 8601 durations of whole days or weeks. */
const days = /^P(?!0+[DW])(?:(\d{1,4})D|(\d{1,3})W)$/;

/** The content of disclosure.json. Unknown keys are refused: a misspelt key would release more than intended. */
export const disclosure = z
  .strictObject({
    default: key(tier.default('counts'), 'The tier unless the access file says otherwise.'),
    threshold: key(
      z
        .int({ error: 'a whole number of at least 10 expected' })
        .min(10, 'a whole number of at least 10 expected')
        .default(10),
      'Counts below it are hidden; others are rounded down to its multiples.',
    ),
    order: key(
      z.union([z.literal(2), z.literal(3)], { error: '2 or 3 expected: more cannot be audited' }).default(3),
      'How many dimensions are counted together.',
    ),
    unit: key(
      z.string({ error: '"record", or the field whose values are persons, expected' }).min(1),
      'The field that identifies persons, or `record` where each record is one.',
    ),
    stableIds: key(
      z.boolean().nullable().default(null),
      'An identifier always means the same unit. Required from the second release on.',
    ),
    strata: key(
      z.string().min(1).nullable().default(null),
      'A field, such as the study, whose values are released apart.',
    ),
    dimensions: key(
      z.array(dimension).min(1).max(12, 'at most 12 dimensions expected'),
      'By what is counted.',
      { form: 'list of objects' },
    ),
    releaseEvery: key(
      z
        .string()
        .regex(days, 'a duration of at least one day, in days or weeks, expected, such as P90D')
        .default('P90D'),
      'The time between releases, in days or weeks (`P12W`).',
    ),
    automatic: key(z.boolean().default(false), 'The server releases by itself, without `tributary release`.'),
    lowerBoundsToOldClients: key(
      z.boolean().default(false),
      'Clients that request no upper bounds get lower bounds, which they show as counts, instead of an error.',
    ),
  })
  .superRefine(({ dimensions }, context) => {
    dimensions.forEach(({ fieldName, within: inner }, index) => {
      if (dimensions.findIndex((other) => other.fieldName === fieldName) < index)
        context.addIssue({
          code: 'custom',
          path: ['dimensions', index, 'fieldName'],
          message: `${fieldName} is listed twice`,
        });
      const isOther = dimensions.some((other) => other.fieldName === inner?.fieldName);
      if (inner && (!isOther || inner.fieldName === fieldName))
        context.addIssue({
          code: 'custom',
          path: ['dimensions', index, 'within', 'fieldName'],
          message: `the name of another dimension expected, found ${inner.fieldName}`,
        });
    });
  });

/** The settings in disclosure.json. */
export const disclosureOf = ({
  releaseEvery,
  dimensions,
  ...rest
}: z.output<typeof disclosure>): DisclosureConfig => {
  const [, inDays, inWeeks] = days.exec(releaseEvery)!;
  return {
    ...rest,
    dimensions: dimensions as DisclosureConfig['dimensions'],
    releaseEveryDays: inDays === undefined ? 7 * Number(inWeeks) : Number(inDays),
  };
};
