import { readFileSync } from 'node:fs';
import { TributaryError } from '../../../errors/errors.ts';

/** The address of a search server and the credentials for it. */
export interface ClusterSettings {
  readonly kind: 'elasticsearch' | 'opensearch' | 'detect';
  /** One URL, or several of the same cluster separated by commas. */
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  /** A file with certificates to trust. */
  readonly caFile: string | undefined;
}

/**
 * The header with the credentials as they are now: they may be exchanged while the server runs. Empty without any, and
 * those in the URL are sent.
 */
export const authorization = ({ user, password, apiKey }: ClusterSettings): Record<string, string> => {
  if (apiKey !== undefined) return { authorization: `ApiKey ${apiKey}` };
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
};

/** The URLs of a cluster's servers. */
export const nodesOf = ({ url }: ClusterSettings): string[] =>
  url
    .split(',')
    .map((node) => node.trim())
    .filter((node) => node !== '');

/**
 * The certificates to trust, undefined for the system's own.
 * @throws TributaryError CONFIG_INVALID when the file cannot be read
 */
export const trustedCertificates = ({ caFile }: ClusterSettings): string | undefined => {
  if (caFile === undefined) return undefined;
  try {
    return readFileSync(caFile, 'utf8');
  } catch (cause) {
    throw new TributaryError(
      'CONFIG_INVALID',
      `ES_CA names ${JSON.stringify(caFile)}, which cannot be read`,
      { cause },
    );
  }
};
