import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TributaryError } from '../errors/errors.ts';
import type { Environment } from './environment.ts';

/**
 * A secret: the value of a variable, or the content of the file that the variable `NAME_FILE` names, without the line
 * break at its end. Files are read each time, so that a secret can be exchanged while the server runs.
 * @returns undefined when neither is set; an empty value counts as unset
 * @throws TributaryError CONFIG_INVALID when both are set, or the file cannot be read; never with what it holds
 */
export const secretIn = (env: Environment, name: string): string | undefined => {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined)
    throw new TributaryError('CONFIG_INVALID', `${name} and ${name}_FILE are both set: unset one of them`);
  try {
    return readFileSync(resolve(file), 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (cause) {
    throw new TributaryError(
      'CONFIG_INVALID',
      `${name}_FILE names ${JSON.stringify(file)}, which cannot be read`,
      { cause },
    );
  }
};

/** The files that variables ending in `_FILE` name. */
export const secretFiles = (env: Environment): readonly string[] =>
  Object.entries(env).flatMap(([name, file]) => (name.endsWith('_FILE') && file ? [resolve(file)] : []));
