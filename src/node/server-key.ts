import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

const fileName = '@server.key';

/**
 * The key by which other servers know this one: the thumbprint (RFC 7638) of an Ed25519 key that is created once in
 * the data folder. If it cannot be stored, the next start makes another one.
 */
export const serverKey = (dataPath: string, log: Logger): string => {
  const file = join(dataPath, fileName);
  try {
    mkdirSync(dataPath, { recursive: true });
    if (!existsSync(file)) makeKey(file);
    return thumbprint(createPrivateKey(readFileSync(file)));
  } catch (error) {
    log.warn(
      { err: error },
      `the key of this server, ${fileName}, cannot be stored or read: other servers will not recognise this one after a restart`,
    );
    return thumbprint(generateKeyPairSync('ed25519').privateKey);
  }
};

/** RFC 7638, 3: the members that a key needs, in the order of their names, without spaces. */
export const thumbprint = (key: KeyObject): string => {
  const { crv, kty, x } = createPublicKey(key).export({ format: 'jwk' });
  return hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
};

/** Written completely before it gets its name; another process that starts at the same time may be first. */
const makeKey = (file: string): void => {
  const draft = `${file}.${process.pid}`;
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    const open = openSync(draft, 'w', 0o600);
    try {
      writeSync(open, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
      fsyncSync(open);
    } finally {
      closeSync(open);
    }
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};
