import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';

const fileName = '@release.key';
const keyBytes = 32;

/** Seals what a server keeps of its releases, so that what another one or nobody wrote is noticed. */
export interface Seal {
  /** The text with its HMAC in front, on a line of its own. */
  readonly seal: (text: string) => string;
  /** @throws TributaryError CONFIG_INVALID when it was not sealed by this server's key */
  readonly open: (sealed: string, name: string) => string;
}

/** The seal of the server whose data folder this is; its key is made at the first use. */
export const releaseSeal = (dataPath: string): Seal => {
  const macOf = (text: string): string =>
    createHmac('sha256', releaseKey(dataPath)).update(text).digest('hex');
  return {
    seal: (text) => `${macOf(text)}\n${text}`,
    open: (sealed, name) => {
      const end = sealed.indexOf('\n');
      const text = sealed.slice(end + 1);
      const [found, expected] = [sealed.slice(0, Math.max(0, end)), macOf(text)].map((mac) =>
        Buffer.from(mac),
      );
      if (found!.length === expected!.length && timingSafeEqual(found!, expected!)) return text;
      throw new TributaryError('CONFIG_INVALID', `${name} is damaged, or was not written by this server`);
    },
  };
};

const releaseKey = (dataPath: string): Buffer => {
  const file = join(dataPath, fileName);
  if (!existsSync(file)) makeKey(dataPath, file);
  return readFileSync(file);
};

/** Atomic: another process that starts at the same time may be first. */
const makeKey = (dataPath: string, file: string): void => {
  mkdirSync(dataPath, { recursive: true });
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
