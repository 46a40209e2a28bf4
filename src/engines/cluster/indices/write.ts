import { TributaryError } from '../../../errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { numberIn, objectsIn } from '../client/answer.ts';
import type { SendOnce, WriteOperation, WriteOutcome } from '../../engine.ts';
import type { ClusterClient } from '../client/client.ts';
import { isOverload, serverFailure, succeeded } from '../client/failure.ts';

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
  const answer = await client.send(
    {
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_bulk`,
      query: { refresh: 'true' },
      lines: operations.flatMap(bulkLines).map((line) => JSON.stringify(line)),
    },
    { repeatable: true, once, what },
  );
  const items = objectsIn(succeeded(answer, what), 'items');
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
