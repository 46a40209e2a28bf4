import { createHmac, timingSafeEqual } from 'node:crypto';
import { TributaryError } from '../../errors/errors.ts';

/** Seals what a server keeps of its releases, so that what another one or nobody wrote is noticed. */
export interface Seal {
  /** The text with its HMAC in front, on a line of its own. */
  readonly seal: (text: string) => string;
  /** @throws TributaryError CONFIG_INVALID when it was not sealed by this key */
  readonly open: (sealed: string, name: string) => string;
}

/** @param key of this server; null where releases are only read */
export const releaseSeal = (key: Uint8Array | null): Seal => {
  const macOf = (text: string): string => {
    if (key !== null) return createHmac('sha256', key).update(text).digest('hex');
    throw new TributaryError('INTERNAL_SERVER_ERROR', 'these releases are open for reading only');
  };
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
