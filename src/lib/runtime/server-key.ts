import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, hkdfSync } from 'node:crypto';
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
import { join, resolve } from 'node:path';
import { invalidConfig } from '../errors/errors.ts';
import { privateFolder } from './private-file.ts';

const fileName = '@server.key';

/** The one secret of a server, and the keys derived from it. */
export interface ServerKey {
  /** Identifies the server to other servers: the thumbprint of its public key (RFC 7638). */
  readonly thumbprint: string;
  /** A secret of 32 bytes for one purpose, by HKDF (RFC 5869): it reveals neither the key nor other secrets. */
  readonly derive: (label: string) => Buffer;
  /** An Ed25519 key that signs for one purpose. */
  readonly signingKey: (label: string) => KeyObject;
}

/**
 * The Ed25519 key of this server: the configured one, else the one in the data folder, which is created once. If it
 * cannot be stored, the next start makes another one.
 * @param configured SERVER_KEY_PATH
 * @throws TributaryError CONFIG_INVALID when the configured file is not an Ed25519 key
 */
export const serverKey = (
  configured: string | undefined,
  dataPath: string,
  log: { readonly warn: (details: object, message: string) => void },
): ServerKey => {
  if (configured !== undefined) return derivedKeys(configuredKeys(configured)[0]);
  const file = join(dataPath, fileName);
  try {
    mkdirSync(dataPath, { recursive: true, mode: privateFolder });
    if (!existsSync(file)) makeKey(file);
    return derivedKeys(createPrivateKey(readFileSync(file)));
  } catch (error) {
    log.warn(
      { err: error },
      `the key of this server, ${fileName}, cannot be stored or read: other servers will not recognise this one after a restart`,
    );
    return derivedKeys(generateKeyPairSync('ed25519').privateKey);
  }
};

/**
 * The key that this server had before, which follows the present one in the configured file; null if there is none.
 * @param configured SERVER_KEY_PATH
 * @throws TributaryError CONFIG_INVALID when it is not an Ed25519 key
 */
export const formerKey = (configured: string | undefined): ServerKey | null => {
  const former = configured === undefined ? undefined : configuredKeys(configured)[1];
  return former === undefined ? null : derivedKeys(former);
};

const configuredKeys = (file: string): readonly [KeyObject, KeyObject?] => {
  try {
    const [first = '', second, third] = readFileSync(resolve(file), 'utf8').split(
      /(?<=-----END [^-]+-----)\s+(?=\S)/,
    );
    if (third !== undefined) throw new Error('at most two keys expected');
    return second === undefined ? [ed25519Key(first)] : [ed25519Key(first), ed25519Key(second)];
  } catch (cause) {
    throw invalidConfig(
      `SERVER_KEY_PATH names ${JSON.stringify(file)}, which does not hold a private Ed25519 key in PEM form, and below it at most the former one: openssl genpkey -algorithm ed25519 makes one`,
      { cause },
    );
  }
};

const ed25519Key = (pem: string): KeyObject => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`a key of the type ${String(key.asymmetricKeyType)}`);
  return key;
};

const derivedKeys = (key: KeyObject): ServerKey => {
  const secret = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url');
  const derive = (label: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `tributary ${label}`, 32));
  return {
    thumbprint: thumbprint(key),
    derive,
    signingKey: (label) =>
      createPrivateKey({
        key: Buffer.concat([pkcs8Prefix, derive(label)]),
        format: 'der',
        type: 'pkcs8',
      }),
  };
};

/** RFC 8410, 7: the bytes before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** RFC 7638, 3: the required members of a key, sorted by name, without spaces. */
export const thumbprint = (key: KeyObject): string => {
  const { crv, kty, x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
};

/** Writes the whole key before the file gets its name; another process that starts at the same time may be first. */
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
