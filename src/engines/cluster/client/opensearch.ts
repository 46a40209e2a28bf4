import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import { Client, errors } from '@opensearch-project/opensearch';
import { collectedBody } from '../../../net/collected-body.ts';
import type { JsonValue } from '../../../json/json.ts';
import { nodesOf, trustedCertificates, type ClusterSettings } from './cluster-settings.ts';
import { NoAnswer, type NoAnswerReason, type Transport } from './transport.ts';
import { UndiciConnection } from './undici-connection.ts';
import { parsedBody, textOrValue } from './large-body.ts';

/**
 * The OpenSearch client as a transport. It also talks to Elasticsearch 7, and is used to identify any server.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const openSearchTransport = (settings: ClusterSettings): Transport => {
  const client = new Client(clientOptions(settings));
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
        // otherwise the client takes an abort during a response for a dead server and avoids that for a minute
        { requestTimeout: Math.ceil(timeoutMs), maxRetries: 0, asStream: true },
      );
      // in braces: if the listener returned the request, its rejection would be thrown again
      const abort = (): void => {
        request.abort();
      };
      signal.addEventListener('abort', abort);
      try {
        const { statusCode, headers, body: answer } = await request;
        return {
          status: statusCode ?? 200,
          body: await readBody(answer as unknown as Readable, headers),
          retryAfter: headers?.['retry-after'],
        };
      } catch (error) {
        if (error instanceof NoAnswer) throw error;
        throw new NoAnswer(signal.aborted ? 'timeout' : reasonOf(error), error);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => client.close(),
  };
};

const unpacked = promisify(unzip);

/** JSON as a value, anything else as text. */
const readBody = async (body: Readable, headers: IncomingHttpHeaders | null): Promise<JsonValue> => {
  const sent = await collectedBody(body);
  // never requested, but a proxy may compress anyway
  const isPacked = /gzip|deflate/i.test(headers?.['content-encoding'] ?? '');
  const text = (isPacked ? await unpacked(sent) : sent).toString();
  const isJson = /\b(application\/json|application\/vnd\.opensearch\+json)\b/.test(
    headers?.['content-type'] ?? '',
  );
  return isJson && text !== '' ? parsedBody(textOrValue(text)) : text;
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
