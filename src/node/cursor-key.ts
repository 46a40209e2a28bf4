import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

const fileName = '@cursor.key';
const keyBytes = 32;

/**
 * The key that tie-breaks in cursors are sealed under: as configured, else the one in the data folder, which is made
 * once. Where none can be kept, cursors are good until this process ends.
 */
export const cursorKey = (configured: string | undefined, dataPath: string, log: Logger): string | Buffer => {
  if (configured !== undefined) return configured;
  const file = join(dataPath, fileName);
  try {
    mkdirSync(dataPath, { recursive: true });
    try {
      writeFileSync(file, randomBytes(keyBytes), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // another process that was started at the same time made it, or an earlier one
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // a full disk takes the file and none of its bytes, which would be no key tomorrow either
        rmSync(file, { force: true });
        throw error;
      }
    }
    const key = readFileSync(file);
    if (key.length === keyBytes) return key;
    throw new Error(`${fileName} has ${key.length} bytes, not ${keyBytes}: remove it`);
  } catch (error) {
    log.warn({ err: error }, 'the key of cursors cannot be kept: those given now end with this process');
    return randomBytes(keyBytes);
  }
};
