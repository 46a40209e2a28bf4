import { fileReason } from '../../lib/runtime/file-failure.ts';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The environment this process was started with. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;

/**
 * The environment of a process that only runs this program: the variables it was started with, and for unset ones those
 * of the file `.env` in the working folder. Sets NODE_ENV to `production` unless it is set: in development mode libraries
 * validate every value again, which makes responses with many buckets a fifth slower. Must be called before they are
 * loaded.
 */
export const programEnvironment = (): ProgramEnvironment => {
  const { variables, note } = envFile();
  const added = Object.entries(variables).filter(([name]) => process.env[name] === undefined);
  for (const [name, value] of added) process.env[name] = value;
  const names = added.map(([name]) => name).join(', ');
  const environment = { ...process.env };
  process.env['NODE_ENV'] ??= 'production';
  return { environment, note: note ?? (names === '' ? null : `.env sets ${names}`) };
};

export interface ProgramEnvironment {
  readonly environment: NodeJS.ProcessEnv;
  /** Lists the variables that `.env` adds, or says why it cannot be read; null if there is nothing to say. */
  readonly note: string | null;
}

const envFile = (): { readonly variables: NodeJS.Dict<string>; readonly note: string | null } => {
  try {
    return { variables: parseEnv(readFileSync('.env', 'utf8')), note: null };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return {
      variables: {},
      note: isMissing ? null : `warning: .env is not read: ${fileReason(error) ?? 'it is damaged'}`,
    };
  }
};
