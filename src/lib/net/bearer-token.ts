import { createHash, timingSafeEqual } from 'node:crypto';

/** The bearer token in a header `authorization`; null if it has none: other schemes are for a proxy in front of a server. */
export const bearerToken = (authorization: string | undefined): string | null =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;

/** Whether a header `authorization` has this bearer token. Constant-time. */
export const hasBearerToken = (authorization: string, token: string): boolean =>
  timingSafeEqual(digest(bearerToken(authorization) ?? ''), digest(token));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
