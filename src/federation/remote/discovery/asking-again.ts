import { TributaryError } from '../../../errors/errors.ts';
import type { DocumentExecutor } from '../document-executor.ts';
import type { GraphqlAnswerError } from '../graphql-over-http.ts';

/**
 * Asks one thing of a node. Of a node that answered it before, an error is no answer: it may be that its search server
 * was away for a moment, and what was known of the node is better than what the error leaves.
 * @param isWorse whether less was found than what is known of the node; null: nothing is known yet
 * @throws TributaryError NODE_BAD_RESPONSE, and what `ask` throws
 */
export const askedAgain = async <Found>(
  execute: DocumentExecutor,
  ask: (execute: DocumentExecutor) => Promise<Found>,
  isWorse: ((found: Found) => boolean) | null,
): Promise<Found> => {
  let hasFailed = false;
  const found = await ask(async (request) => {
    try {
      const answer = await execute(request);
      if (answer.errors?.some((error) => !saysNoSuchField(error)) === true) hasFailed = true;
      return answer;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
  if (hasFailed && isWorse?.(found) === true)
    throw new TributaryError('NODE_BAD_RESPONSE', 'did not answer what it answered before');
  return found;
};

/** A node that has changed says so: by its GraphQL, or by its search server. */
const saysNoSuchField = ({ message, extensions }: GraphqlAnswerError): boolean =>
  extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED' ||
  /\bcannot query field\b|\bno mapping found\b|\bfielddata is disabled\b/i.test(String(message));
