import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invalidConfig } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import type { AccessConfig } from './config.ts';
import { readConfigFile } from './json-file.ts';
import type { Variables } from './variables.ts';

/**
 * The unchecked content of the file at ACCESS_FILTER_PATH, and the source of the token keys; null without access control.
 * @param isSuppliedElsewhere the application supplies its own access rules
 * @throws TributaryError CONFIG_INVALID: a server with incomplete access control must not start as an open one
 */
export const readAccess = (variables: Variables, isSuppliedElsewhere = false): AccessConfig | null => {
  const { ACCESS_FILTER_PATH: file, JWKS_URL: url } = variables;
  if (variables.ENABLE_ACCESS_CONTROL === true && file === undefined && !isSuppliedElsewhere)
    throw invalidConfig(
      'ENABLE_ACCESS_CONTROL is true but ACCESS_FILTER_PATH is not set: name the file with the access rules',
    );
  if (variables.ENABLE_ACCESS_CONTROL === false && (file !== undefined || isSuppliedElsewhere))
    throw invalidConfig(
      `ENABLE_ACCESS_CONTROL is false, but ${file === undefined ? 'the application has access rules' : 'ACCESS_FILTER_PATH is set'}: unset one of them`,
    );
  if (file === undefined) {
    if (url === undefined) return null;
    throw invalidConfig('JWKS_URL is set but ACCESS_FILTER_PATH is not: name the file with the access rules');
  }
  const { content, repeated } = readConfigFile('ACCESS_FILTER_PATH', file)!;
  if (repeated !== null) throw invalidConfig(`${file} ${repeated}`);
  if (url === undefined && !listsIssuers(content))
    throw invalidConfig(
      'ACCESS_FILTER_PATH needs JWKS_URL, or token.issuers in its file, to check tokens with',
    );
  return { content, file, keys: url === undefined ? null : keysAt(url) };
};

const keysAt = (url: string): AccessConfig['keys'] => {
  if (!url.startsWith('file:')) return { kind: 'jwks', url };
  try {
    const file = fileURLToPath(url);
    return { kind: 'pem', pem: readFileSync(file, 'utf8'), file };
  } catch (error) {
    throw invalidConfig(`JWKS_URL names ${JSON.stringify(url)}, which cannot be read`, { cause: error });
  }
};

/** Whether the file lists issuers, which have their own keys. */
const listsIssuers = (content: unknown): boolean =>
  isJsonObject(content) && isJsonObject(content['token']) && content['token']['issuers'] !== undefined;
