import { numberIn, objectsIn, isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { IndexAction, SendOnce, WriteOperation, WriteOutcome } from '../../engine.ts';
import { typeHint } from '../../../introspection/fields/type-support.ts';
import type { Product } from './describe.ts';
import { answerBody, type ClusterClient } from '../client/client.ts';
import { failureOf, succeeded, isOverload, serverFailure } from '../client/failure.ts';
import type { ClusterRequest } from '../client/nodes.ts';
import type { ClusterAnswer } from '../client/transport.ts';

/**
 * Creates, extends and deletes indexes and aliases. @throws TributaryError CONFLICT, index_not_found, and as documented
 * on the port
 */
export const manageIndexes = async (
  client: ClusterClient,
  action: IndexAction,
  product: Product,
): Promise<void> => {
  switch (action.kind) {
    case 'create': {
      const body = { ...(action.settings && { settings: action.settings }), mappings: action.mapping };
      return change(client, { method: 'PUT', path: pathOf(action.index), body }, action, product);
    }
    case 'extend': {
      const path = `${pathOf(action.index)}/_mapping`;
      const body = { properties: action.properties };
      return change(client, { method: 'PUT', path, body }, action, product);
    }
    case 'delete':
      return deleteIndex(client, action);
    case 'alias':
      return pointAlias(client, action, product);
  }
};

const pathOf = (index: string): string => `/${encodeURIComponent(index)}`;

/** Reports a clash with what the index already has as a conflict, however the server words it. */
const change = async (
  client: ClusterClient,
  request: ClusterRequest,
  action: IndexAction,
  product: Product,
): Promise<void> => {
  const what = `${action.kind} of ${action.kind === 'alias' ? action.alias : action.index}`;
  const answer = await client.send(request, { repeatable: false, what });
  if (answer.status !== 400) return void succeeded(answer, what);
  const failure = withHint(failureOf(400, errorOf(answer), what), product);
  throw action.kind === 'create' && failure.code !== 'CONFLICT'
    ? failure
    : new TributaryError('CONFLICT', failure.message, { cause: failure });
};

/** Adds the hint for a type that the server lacks. */
const withHint = (failure: TributaryError, product: Product): TributaryError => {
  const type = /No handler for type \[(\w+)\]/.exec(failure.message)?.[1];
  const hint = type === undefined ? undefined : typeHint(type, product);
  if (hint === undefined) return failure;
  return new TributaryError(failure.code, `${failure.message} (${type}: ${hint})`, { cause: failure });
};

const errorOf = ({ body }: ClusterAnswer): unknown => (isJsonObject(body) ? body['error'] : undefined);

const deleteIndex = async (
  client: ClusterClient,
  action: Extract<IndexAction, { kind: 'delete' }>,
): Promise<void> => {
  const what = `delete of ${action.index}`;
  const answer = await client.send(
    { method: 'DELETE', path: pathOf(action.index) },
    { repeatable: false, what },
  );
  if (answer.status !== 404) succeeded(answer, what);
};

const pointAlias = async (
  client: ClusterClient,
  action: Extract<IndexAction, { kind: 'alias' }>,
  product: Product,
): Promise<void> => {
  const what = `alias of ${action.alias}`;
  const known = await client.send(
    { method: 'GET', path: `/_alias/${encodeURIComponent(action.alias)}` },
    { repeatable: true, what },
  );
  const before = known.status === 404 ? [] : Object.keys(succeeded(known, what));
  const gone = before.filter((index) => !action.indices.includes(index));
  const actions = [
    ...(action.replacesIndex === true ? [{ remove_index: { index: action.alias } }] : []),
    ...gone.map((index) => ({ remove: { index, alias: action.alias } })),
    ...action.indices.map((index) => ({ add: { index, alias: action.alias } })),
  ];
  if (actions.length === 0) return;
  await change(client, { method: 'POST', path: '/_aliases', body: { actions } }, action, product);
};

/**
 * Writes operations in order in one bulk request, visible to searches once it returns.
 * @throws TributaryError when the request failed as a whole; ENGINE_ERROR when the response does not cover every
 *   operation
 */
export const writeOperations = async (
  client: ClusterClient,
  index: string,
  operations: readonly WriteOperation[],
  { once }: SendOnce = {},
): Promise<readonly WriteOutcome[]> => {
  if (operations.length === 0) return [];
  const what = `writing to ${index}`;
  const lines = operations.flatMap(bulkLines).map((line) => JSON.stringify(line));
  const request = {
    method: 'POST',
    path: `${pathOf(index)}/_bulk`,
    query: { refresh: 'true' },
    lines,
  } as const;
  const items = objectsIn(await answerBody(client, request, { repeatable: true, once, what }), 'items');
  if (items.length !== operations.length)
    throw new TributaryError(
      'ENGINE_ERROR',
      `the search server answered ${items.length} of ${operations.length} operations on ${index}`,
    );
  return items.map(outcomeOf);
};

const bulkLines = (operation: WriteOperation): readonly JsonObject[] =>
  operation.kind === 'upsert'
    ? [{ index: { _id: operation.id } }, operation.document]
    : [{ delete: { _id: operation.id } }];

const results: Readonly<Record<string, WriteOutcome>> = {
  created: { status: 'created' },
  updated: { status: 'updated' },
  noop: { status: 'updated' },
  deleted: { status: 'deleted' },
  not_found: { status: 'notFound' },
};

const outcomeOf = (item: JsonObject): WriteOutcome => {
  const [entry] = Object.values(item);
  const outcome = isJsonObject(entry) ? entry : {};
  const known = results[String(outcome['result'])];
  if (known !== undefined && outcome['error'] === undefined) return known;
  const failure = serverFailure(outcome['error']);
  return {
    status: 'refused',
    reason: readable(failure.reason),
    retryable: isOverload(numberIn(outcome, 'status'), failure),
  };
};

/** Makes the error of a strict mapping name the field by its full path. */
const readable = (reason: string): string => {
  const strict = /dynamic introduction of \[(.+?)\] within \[(.+?)\]/.exec(reason);
  if (strict === null) return reason;
  const [, name, parent] = strict;
  return `field ${parent === '_doc' ? name : `${parent}.${name}`} is not in the mapping, which is strict`;
};
