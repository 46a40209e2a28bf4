import { z } from 'zod';
import { edgesOfCalendar } from '../../introspection/dates/dates.ts';
import { key, optionalKey } from '../../introspection/fields/key.ts';
import { intervalKeys, isWholeCalendar } from '../../introspection/sections/interval-keys.ts';
import type { DisclosureProfile } from './nodes.ts';

/** The most edges that a dimension of a release can have. */
const maxEdges = 400;

const dimension = z
  .strictObject({
    fieldName: key(z.string().min(1), "The network's field, by its dotted path."),
    ...intervalKeys,
  })
  .superRefine((entry, context) => {
    const problem = (message: string) => context.addIssue({ code: 'custom', message });
    if (entry.edges !== undefined && entry.calendar !== undefined)
      problem('only one of edges and calendar expected');
    else if (!isWholeCalendar(entry)) problem('calendar, from and to expected together');
    else if (entry.calendar !== undefined && edgesOfCalendar(entry, maxEdges) === null)
      problem('from and to must be two dates in ascending order, such as 2015 and 2026');
  });

/** The dimensions that nodes withholding their records are to release; `check` compares them. */
export const disclosureProfile = optionalKey(
  z.strictObject({
    threshold: optionalKey(z.int().min(10), 'The lowest count that is shown.'),
    unit: optionalKey(z.string().min(1), 'The field that identifies persons, or `record`.'),
    dimensions: key(
      z
        .array(dimension)
        .refine(
          (entries) => new Set(entries.map(({ fieldName }) => fieldName)).size === entries.length,
          'lists a field twice',
        )
        .default([]),
      'The fields that each releases, with their edges, as in [disclosure.json](#disclosurejson).',
      { form: 'list of `{fieldName, edges?, calendar?, from?, to?}`', isDescribedElsewhere: true },
    ),
  }),
  'What nodes [agreed to release](disclosure.md#in-a-network), for `check`.',
);

/** The profile, with calendars as lists of edges. */
export const profileOf = ({
  threshold,
  unit,
  dimensions,
}: NonNullable<z.output<typeof disclosureProfile>>): DisclosureProfile => ({
  threshold,
  unit,
  dimensions: dimensions.map((entry) => {
    const edges = entry.edges ?? edgesOfCalendar(entry, maxEdges) ?? undefined;
    return { fieldName: entry.fieldName, ...(edges && { edges }), isDate: entry.calendar !== undefined };
  }),
});
