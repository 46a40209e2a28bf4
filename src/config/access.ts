import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { invalidConfig } from '../errors/errors.ts';
import { isJsonObject } from '../json/json.ts';
import type { AccessConfig } from './config.ts';
import { readJsonFile } from './json-file.ts';
import type { Variables } from './variables.ts';

/**
 * The unchecked content of the file at ACCESS_FILTER_PATH, and the source of the token keys; null without access control.
 * @param isSuppliedElsewhere the application supplies its own access rules
 * @throws TributaryError CONFIG_INVALID: a server with incomplete access control must not start as an open one
 */
export const readAccess = (variables: Variables, isSuppliedElsewhere = false): AccessConfig | null => {
  const { ACCESS_FILTER_PATH: file, JWKS_URL: url, JWT_PUBLIC_KEY_PATH: pemFile } = variables;
  if (variables.ENABLE_ACCESS_CONTROL === true && file === undefined && !isSuppliedElsewhere)
    throw invalidConfig(
      'ENABLE_ACCESS_CONTROL is true but ACCESS_FILTER_PATH is not set: name the file with the access rules',
    );
  if (variables.ENABLE_ACCESS_CONTROL === false && (file !== undefined || isSuppliedElsewhere))
    throw invalidConfig(
      `ENABLE_ACCESS_CONTROL is false, but ${file === undefined ? 'the application has access rules' : 'ACCESS_FILTER_PATH is set'}: unset one of them`,
    );
  if (file === undefined) {
    if (url === undefined && pemFile === undefined) return null;
    throw invalidConfig(
      `${url === undefined ? 'JWT_PUBLIC_KEY_PATH' : 'JWKS_URL'} is set but ACCESS_FILTER_PATH is not: ` +
        'name the file with the access rules',
    );
  }
  const read = readJsonFile(resolve(file));
  if (read.kind === 'missing')
    throw invalidConfig(`ACCESS_FILTER_PATH names ${JSON.stringify(file)}, which does not exist`);
  if (read.kind === 'broken') throw invalidConfig(`${file} ${read.reason}`);
  if (read.repeated !== null) throw invalidConfig(`${file} ${read.repeated}`);
  const hasKeys = url !== undefined || pemFile !== undefined;
  if ((url !== undefined && pemFile !== undefined) || (!hasKeys && !listsIssuers(read.content)))
    throw invalidConfig(
      'ACCESS_FILTER_PATH needs either JWKS_URL or JWT_PUBLIC_KEY_PATH, or token.issuers in its file, to check tokens with',
    );
  return { content: read.content, file, keys: keysOf(url, pemFile) };
};

const keysOf = (url: string | undefined, pemFile: string | undefined): AccessConfig['keys'] => {
  if (url !== undefined) return { kind: 'jwks', url };
  return pemFile === undefined ? null : { kind: 'pem', pem: readPem(pemFile), file: pemFile };
};

/** Whether the file lists issuers, which have their own keys. */
const listsIssuers = (content: unknown): boolean =>
  isJsonObject(content) && isJsonObject(content['token']) && content['token']['issuers'] !== undefined;

const readPem = (file: string): string => {
  try {
    return readFileSync(resolve(file), 'utf8');
  } catch (error) {
    throw invalidConfig(`JWT_PUBLIC_KEY_PATH names ${JSON.stringify(file)}, which cannot be read`, {
      cause: error,
    });
  }
};
