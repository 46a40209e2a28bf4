import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { MISSING } from '../../../src/sqon/ast.ts';
import type { Coverage } from './answer.ts';
import type { Catalogue, SurvivalFields } from './catalogue.ts';
import type { Filter } from './filter.ts';
import { coveredIn, nodesOf, queryRoot, totalSelection, type Growing, type Question } from './questions.ts';
import type { Root } from './read-answer.ts';
import { facetError } from './server.ts';

/** The times when records were last seen, with the number of events at each. */
export interface EventTable {
  readonly times: readonly { readonly time: number; readonly events: number; readonly censored: number }[];
  /** Records that are left out. */
  readonly noTime: number;
  readonly negativeTime: number;
  readonly noEvent: number;
  readonly coverage: readonly Coverage[] | null;
}

/** The event table of the records that a question finds. @throws ApiError */
export const fetchSurvival = async (
  catalogue: Catalogue,
  { time, event, dead }: SurvivalFields,
  question: Question,
  how: Growing<EventTable>,
): Promise<EventTable> => {
  const missing: Filter = { op: 'in', content: { fieldName: event, value: [MISSING] } };
  const values = {
    dead: { op: 'in', content: { fieldName: event, value: dead } },
    known: { op: 'not', content: [missing] },
  };
  const coverage = catalogue.source.kind === 'network' ? 'coverage { nodeId state docs reason }' : '';
  const selection = `${totalSelection(catalogue)} aggregations ARGUMENTS { ${aggregationName(time)} {
    survival(dead: $dead, known: $known) { times { time events censored } no_time negative_time no_event } ${coverage} } }`;
  const more = { declared: '$dead: JSON!, $known: JSON', values };
  const read = (root: Root): EventTable => {
    const facet = root.aggregations?.[aggregationName(time)];
    if (facet?.survival == null) throw facetError(facet ?? {});
    const { times, no_time: noTime, negative_time: negativeTime, no_event: noEvent } = facet.survival;
    const table = { times, noTime, negativeTime, noEvent, coverage: facet.coverage ?? null };
    return coveredIn(nodesOf(catalogue, question, root), table);
  };
  return queryRoot(catalogue, question, selection, read, { ...how, more });
};
