import type { ClientOptions } from '@elastic/elasticsearch';
import { Client, errors } from '@elastic/elasticsearch';
import type { ClusterSettings } from './cluster-settings.ts';
import { authorization, nodesOf, trustedCertificates } from './cluster-settings.ts';
import type { NoAnswerReason, Transport } from './transport.ts';
import { NoAnswer, parsedBody, textOrValue } from './transport.ts';

/**
 * The Elasticsearch client as a transport, for servers of version 8 and 9.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const elasticsearchTransport = (settings: ClusterSettings): Transport => {
  const client = new Client(clientOptions(settings));
  client.serializer.deserialize = <T>(json: string): T => textOrValue(json) as T;
  return {
    send: async ({ method, path, query, body, lines }, { timeoutMs, signal }) => {
      try {
        const { statusCode, body: answer } = await client.transport.request<unknown>(
          {
            method,
            path,
            ...(query && { querystring: { ...query } }),
            ...(body && { body }),
            ...(lines && { bulkBody: [...lines] }),
          },
          {
            requestTimeout: Math.ceil(timeoutMs),
            maxRetries: 0,
            signal,
            meta: true,
            headers: authorization(settings),
          },
        );
        return { status: statusCode ?? 200, body: await parsedBody(answer) };
      } catch (error) {
        if (error instanceof NoAnswer) throw error;
        if (error instanceof errors.ResponseError)
          return {
            status: error.statusCode ?? 500,
            body: await parsedBody(error.body),
            retryAfter: retryAfterOf(error.headers),
          };
        throw new NoAnswer(reasonOf(error), error);
      }
    },
    close: () => client.close(),
  };
};

const retryAfterOf = (headers: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const value = headers?.['retry-after'];
  return typeof value === 'string' ? value : undefined;
};

const clientOptions = (settings: ClusterSettings): ClientOptions => {
  const ca = trustedCertificates(settings);
  return {
    nodes: nodesOf(settings),
    maxRetries: 0,
    ...(ca !== undefined && { tls: { ca } }),
  };
};

const reasonOf = (error: unknown): NoAnswerReason => {
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError) return 'timeout';
  if (error instanceof SyntaxError) return 'unreadable';
  if (error instanceof errors.ProductNotSupportedError) return 'other-server';
  return /certificate|self.signed/i.test(String(error)) ? 'certificate' : 'connection';
};
