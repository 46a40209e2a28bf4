import { hash } from 'node:crypto';

/** The block of SHA-256, in bytes. */
const blockBytes = 64;

const padded = (key: Uint8Array, pad: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: blockBytes }, (_, at) => (key[at] ?? 0) ^ pad));

/**
 * HMAC with SHA-256 (RFC 2104) under one key, in base64url: takes a tenth of the time of `createHmac`, whose objects, like
 * the buffers that hashes are returned in, cost more than hashing a short text.
 * @param key at most 64 bytes
 */
export const keyedMac = (key: Uint8Array): ((text: string | Uint8Array) => string) => {
  if (key.length > blockBytes) throw new RangeError(`a key of at most ${blockBytes} bytes expected`);
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(32)]);
  const shared = Buffer.concat([padded(key, 0x36)], 16 * 1024);
  return (text) => {
    // a character takes at most three bytes
    const most = blockBytes + 3 * text.length;
    const inner = most <= shared.length ? shared : Buffer.concat([shared.subarray(0, blockBytes)], most);
    if (typeof text !== 'string') inner.set(text, blockBytes);
    const end = blockBytes + (typeof text === 'string' ? inner.write(text, blockBytes) : text.length);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'binary');
    return hash('sha256', outer, 'base64url');
  };
};
