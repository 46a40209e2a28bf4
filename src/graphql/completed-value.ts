import type { GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import { GraphQLError, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { TributaryError } from '../errors/errors.ts';
import { DeferredValues, deferValue } from './deferred-values.ts';
import { memoizePerDocument } from './memoize-per-document.ts';
import { byResponseKey } from './response-key.ts';
import type { SelectedField } from './selected-fields.ts';
import { allBelow, below } from './selected-fields.ts';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';

/**
 * The result for a field whose descendants all have synchronous resolvers that ignore their `info`: the value,
 * completed here along a selection that is read once per document. An executor reads the arguments of each field of
 * each row again, and records its path.
 *
 * What cannot be completed is left to the executor, which hits the same error and adds the location.
 * @param info of that field, which must be nullable
 */
export const completed = (value: unknown, caller: unknown, info: GraphQLResolveInfo): unknown => {
  if (!(info.rootValue instanceof DeferredValues)) return value;
  try {
    return deferValue(completionOf(info)(value, { caller, info }), info);
  } catch (error) {
    return leftToExecutor(value, error);
  }
};

/** Returns the value for the executor, which rejects it again and adds the location. @throws if the fault is ours */
const leftToExecutor = <Value>(value: Value, error: unknown): Value => {
  if (error instanceof TributaryError || error instanceof GraphQLError) return value;
  throw error;
};

interface Context {
  readonly caller: unknown;
  readonly info: GraphQLResolveInfo;
}

/** Number of rows completed before yielding to other work. */
const rowsToPiece = 500;

/**
 * Completes a connection of many rows a few hundred at a time, so that no other request has to wait for all of them.
 * Only `edges` is cut into pieces: every other field, lists included, is completed once.
 */
export const completedConnection = async (
  connection: { readonly edges: readonly unknown[] },
  caller: unknown,
  info: GraphQLResolveInfo,
): Promise<unknown> => {
  const { edges } = connection;
  if (edges.length <= rowsToPiece || !(info.rootValue instanceof DeferredValues))
    return completed(connection, caller, info);
  try {
    const complete = completionOf(info);
    const context = { caller, info };
    const piece = (from: number) =>
      complete({ ...connection, edges: edges.slice(from, from + rowsToPiece) }, context) as Completed;
    const whole = piece(0);
    const rowFields = edgesFields(info);
    for (let from = rowsToPiece; from < edges.length; from += rowsToPiece) {
      await yieldToEventLoop();
      const more = piece(from);
      for (const name of rowFields) for (const row of more[name]!) whole[name]!.push(row);
    }
    return deferValue(whole, info);
  } catch (error) {
    return leftToExecutor(connection, error);
  }
};

type Completed = Record<string, unknown[]>;

/** The response names of `edges` below a connection. */
const edgesFields = (info: GraphQLResolveInfo): readonly string[] =>
  below(info, { definition: info.parentType.getFields()[info.fieldName]!, nodes: info.fieldNodes })
    .filter(({ name }) => name === 'edges')
    .map(({ responseName }) => responseName);

/** Turns a resolver's result into the value to send. @throws the error an executor would report */
type Completion = (value: unknown, context: Context) => unknown;

const completionOf = memoizePerDocument((info: GraphQLResolveInfo): Completion => {
  const definition = info.parentType.getFields()[info.fieldName]!;
  return completion(info, definition.type, { definition, nodes: info.fieldNodes });
});

const completion = (
  info: GraphQLResolveInfo,
  type: GraphQLOutputType,
  field: Pick<SelectedField, 'definition' | 'nodes'>,
): Completion => {
  if (isNonNullType(type)) {
    const complete = completion(info, type.ofType, field);
    return (value, context) => complete(value, context) ?? unfit('null where a value is required');
  }
  if (isListType(type)) {
    const complete = completion(info, type.ofType, field);
    return nullOr((value, context) =>
      Array.isArray(value) ? value.map((item) => complete(item, context)) : unfit('no list'),
    );
  }
  if (isLeafType(type)) return nullOr((value) => type.serialize(value) ?? unfit('no value of its type'));
  return isObjectType(type) ? objectCompletion(info, allBelow(info, field)) : () => unfit('not known here');
};

const nullOr =
  (complete: Completion): Completion =>
  (value, context) =>
    value === null || value === undefined ? null : complete(value, context);

const unfit = (what: string): never => {
  throw new TributaryError('INTERNAL_SERVER_ERROR', `a field has ${what}`);
};

const objectCompletion = (info: GraphQLResolveInfo, selected: readonly SelectedField[]): Completion => {
  const fields = selected.map((field) => ({
    as: field.responseName,
    read: reading(field),
    complete: completion(info, field.definition.type, field),
  }));
  // filling in a copy takes half the time of adding one property after another
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(fields.map(({ as }) => [as, null]));
  return nullOr((source, context) => {
    const object = { ...empty };
    for (const { as, read, complete } of fields) object[as] = complete(read(source, context), context);
    return object;
  });
};

/** What the resolver of a field returns for its source. */
const reading = ({
  name,
  responseName,
  typeName,
  args,
  definition: { resolve },
}: SelectedField): Completion => {
  if (name === '__typename') return () => typeName;
  if (resolve === undefined) return (source) => (source as Readonly<Record<string, unknown>>)[name];
  if (resolve === byResponseKey)
    return (source) => (source as Readonly<Record<string, unknown>>)[responseName];
  return (source, { caller, info }) => resolve(source, args, caller, info);
};
