import { createHmac, createSecretKey } from 'node:crypto';

/** HMAC with SHA-256 under one key, in base64url. */
export const keyedMac = (key: Uint8Array): ((text: string | Uint8Array) => string) => {
  const secret = createSecretKey(key);
  return (text) => createHmac('sha256', secret).update(text).digest('base64url');
};
