import { Client, errors } from '@opensearch-project/opensearch';
import { nodesOf, trustedCertificates, type ClusterSettings } from './cluster-settings.ts';
import { NoAnswer, type NoAnswerReason, type Transport } from './transport.ts';
import { UndiciConnection } from './undici-connection.ts';
import { parsedBody, textOrValue } from './large-body.ts';

/**
 * The OpenSearch client as a transport. It also talks to Elasticsearch 7, and asks any server what it is.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const openSearchTransport = (settings: ClusterSettings): Transport => {
  const client = new Client(clientOptions(settings));
  client.serializer.deserialize = textOrValue;
  return {
    send: async ({ method, path, query, body, lines }, { timeoutMs, signal }) => {
      if (signal.aborted) throw new NoAnswer('timeout', signal.reason);
      const request = client.transport.request(
        {
          method,
          path,
          ...(query && { querystring: { ...query } }),
          ...(body && { body }),
          ...(lines && { bulkBody: [...lines] }),
        },
        { requestTimeout: Math.ceil(timeoutMs), maxRetries: 0 },
      );
      // in braces: a listener that gave the request back would have its failure thrown once more
      const abort = (): void => {
        request.abort();
      };
      signal.addEventListener('abort', abort);
      try {
        const { statusCode, body: answer } = await request;
        return { status: statusCode ?? 200, body: await parsedBody(answer) };
      } catch (error) {
        if (error instanceof NoAnswer) throw error;
        if (error instanceof errors.ResponseError)
          return { status: error.statusCode ?? 500, body: await parsedBody(error.body) };
        throw new NoAnswer(reasonOf(error), error);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => client.close(),
  };
};

const clientOptions = (settings: ClusterSettings): ConstructorParameters<typeof Client>[0] => {
  const ca = trustedCertificates(settings);
  const { user, password, apiKey } = settings;
  return {
    nodes: nodesOf(settings),
    Connection: UndiciConnection,
    maxRetries: 0,
    ...(user !== undefined && { auth: { username: user, password: password ?? '' } }),
    ...(apiKey !== undefined && { headers: { authorization: `ApiKey ${apiKey}` } }),
    ...(ca !== undefined && { ssl: { ca } }),
  };
};

const reasonOf = (error: unknown): NoAnswerReason => {
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError) return 'timeout';
  if (error instanceof SyntaxError) return 'unreadable';
  return /certificate|self.signed/i.test(String(error)) ? 'certificate' : 'connection';
};
