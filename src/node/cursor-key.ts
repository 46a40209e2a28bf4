import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { privateFolder } from '../runtime/private-file.ts';

const fileName = '@cursor.key';
const keyBytes = 32;

/**
 * The key that encrypts tiebreakers in cursors: as configured, else the one in the data folder, which is created once. If
 * it cannot be stored, cursors are valid until this process ends.
 */
export const cursorKey = (
  configured: string | Buffer | undefined,
  dataPath: string,
  log: Logger,
): string | Buffer => {
  if (configured !== undefined) return configured;
  const file = join(dataPath, fileName);
  try {
    mkdirSync(dataPath, { recursive: true, mode: privateFolder });
    if (!existsSync(file)) makeKey(file);
    const key = readFileSync(file);
    if (key.length === keyBytes) return key;
    throw new Error(`${fileName} has ${key.length} bytes, not ${keyBytes}: remove it`);
  } catch (error) {
    log.warn(
      { err: error },
      'the cursor key cannot be stored: cursors become invalid when this process ends',
    );
    return randomBytes(keyBytes);
  }
};

/** Atomic: another process that starts at the same time may read the file immediately, or create it first. */
const makeKey = (file: string): void => {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(keyBytes), { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};
