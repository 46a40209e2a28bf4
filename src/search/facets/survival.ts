import { GraphQLFloat, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import { z } from 'zod';
import { maxTimes, mergedTimes, tooManyTimes } from '../../engines/semantics/event-table.ts';
import type { SurvivalResult } from '../../engines/measure.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { fieldNamed } from '../../introspection/fields/field.ts';
import { allBelow, type SelectedField } from '../../lib/graphql/execution.ts';
import { described, jsonScalar } from '../../lib/graphql/scalars.ts';
import { group, type Sqon } from '../../sqon/ast.ts';
import { compileSqon } from '../../sqon/compile.ts';
import { and } from '../../sqon/filter.ts';
import { parseSqon, printSqon } from '../../sqon/parse.ts';
import { fieldNamesIn } from '../../sqon/rewrite.ts';
import { answerOf, byName, byProperty, fixed, isInt, responseField, resultsOf } from './row/answer-shape.ts';
import { sent, type FacetField, type MeasureRow } from './row/measure-row.ts';
import { checked, count } from './row/wire.ts';

const timeType = new GraphQLObjectType({
  name: 'SurvivalTime',
  description: 'What happened at one time.',
  fields: {
    time: responseField(GraphQLFloat, 'The time, in the unit of the field.'),
    events: responseField(GraphQLInt, 'How many documents had the event then.'),
    censored: responseField(GraphQLInt, 'How many documents were last seen then and had not had the event.'),
  },
});

/** By the GraphQL field, the property of a result. */
const leftOut = { no_time: 'noTime', negative_time: 'negativeTime', no_event: 'noEvent' } as const;

const survivalType = new GraphQLObjectType({
  name: 'Survival',
  description: 'An event table: what survival curves and log-rank tests are computed from.',
  fields: {
    times: responseField(
      new GraphQLList(new GraphQLNonNull(timeType)),
      'Each distinct time from 0 on at which something happened, ascending.',
    ),
    no_time: responseField(GraphQLInt, 'How many documents are left out because they have no time.'),
    negative_time: responseField(
      GraphQLInt,
      'How many documents are left out because their time is below 0.',
    ),
    no_event: responseField(
      GraphQLInt,
      'How many documents are left out because `known` does not match them.',
    ),
  },
});

const field: FacetField = {
  type: survivalType,
  description: `The event table of the documents that match, with the field as the time under observation: numbers, one for each document, at most ${maxTimes} distinct ones. Conditions on the field itself always apply.`,
  args: {
    dead: described(new GraphQLNonNull(jsonScalar), 'A SQON filter: the documents that have had the event.'),
    known: described(
      jsonScalar,
      'A SQON filter: the documents of which it is known whether they have; all by default.',
    ),
  },
};

/** Event tables, which are added up across nodes. */
export const survival: MeasureRow<'survival'> = {
  fields: { numbers: { survival: field } },
  select:
    (_selected, { info, addRequest }) =>
    (selection) => {
      const { args } = selection;
      const request = addRequest({
        kind: 'survival',
        filters: [filterIn(args['dead']), filterIn(args['known'])],
      });
      const shape = byName(allBelow(info, selection), (child) => partOf(child, allBelow(info, child)));
      return (answers) => shape(answerOf(answers, request, 'survival'));
    },
  toEngine: ({ kind, filters }, { field: { path, nestedIn }, fields }) => {
    if (nestedIn.length > 0)
      throw refused(path, `needs one time for each document, which a field of ${nestedIn.at(-1)!} is not`);
    const unknown = filters
      .flatMap((filter) => fieldNamesIn(filter))
      .find((name) => fieldNamed(fields, name) === undefined);
    if (unknown !== undefined) throw refused(path, `has filters on "${unknown}", which is not a field here`);
    const [dead, known] = filters.map((filter) => compileSqon(filter, fields));
    return { kind, filters: [and([dead!, known!]), known!] };
  },
  fitsTypes: ({ times, noTime, negativeTime, noEvent }) =>
    [noTime, negativeTime, noEvent].every(isInt) &&
    times.every(({ events, censored }) => isInt(events) && isInt(censored)),
  toNode: ({ kind, filters }, { pathOf, filterOf }) => {
    const paths = filters.flatMap((filter) => fieldNamesIn(filter));
    // a node without the event would count every record as alive
    if (paths.some((path) => pathOf(path) === null)) return { kind: 'notCovered' };
    return sent({ kind, filters: filters.map(filterOf) });
  },
  isOfCells: () => false,
  remoteField: 'survival',
  print: ({ filters }, _counts, pass) => {
    const [dead, known] = filters.map((filter) => pass(printSqon(filter)));
    return `survival(dead: ${dead!}, known: ${known!}) { times { time events censored } no_time negative_time no_event }`;
  },
  read: (value, reading) => {
    const { times, ...parts } = checked(answered, value, reading.field);
    return {
      kind: 'survival',
      times: mergedTimes(times),
      noTime: parts.no_time,
      negativeTime: parts.negative_time,
      noEvent: parts.no_event,
    };
  },
  merge: (parts, { field: { path } }) => {
    const results = resultsOf(parts);
    const sum = (of: (result: SurvivalResult) => number): number =>
      results.reduce((total, result) => total + of(result), 0);
    const times = mergedTimes(results.flatMap((result) => result.times));
    if (times.length > maxTimes) throw tooManyTimes(path);
    return {
      kind: 'survival',
      times,
      noTime: sum(({ noTime }) => noTime),
      negativeTime: sum(({ negativeTime }) => negativeTime),
      noEvent: sum(({ noEvent }) => noEvent),
    };
  },
};

const refused = (path: string, why: string): TributaryError =>
  badUserInput(`survival of ${path} ${why}`, { details: { fieldName: path } });

/** Matches all documents where no filter is given. @throws TributaryError BAD_USER_INPUT for a malformed filter */
const filterIn = (written: unknown): Sqon => parseSqon(written) ?? group('and', []);

const partOf = (
  selection: SelectedField,
  children: readonly SelectedField[],
): ((result: SurvivalResult) => unknown) => {
  if (selection.name === '__typename') return fixed(selection);
  if (selection.name !== 'times') {
    const property = leftOut[selection.name as keyof typeof leftOut];
    return (result) => result[property];
  }
  const shape = byProperty<SurvivalResult['times'][number]>(children);
  return ({ times }) => times.map(shape);
};

const answered = z.object({
  times: z.array(z.object({ time: z.number().min(0), events: count, censored: count })).max(maxTimes),
  no_time: count,
  negative_time: count,
  no_event: count,
});
