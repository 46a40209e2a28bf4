import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import { isView, type View } from './view.ts';

const prefix = '#v1=';
const shortPrefix = '#s=';

/** The id of a view stored on the server; null for any other hash. */
export const shortLinkOf = (hash: string): string | null =>
  hash.startsWith(shortPrefix) ? hash.slice(shortPrefix.length) : null;

/** The hash of a view stored on the server. */
export const shortHashOf = (id: string): string => shortPrefix + id;

/** A page has many links to few views, and a long view takes a while to compress. */
const packed = new WeakMap<View, string>();

/** A view as the hash of a URL: servers never see it. */
export const hashOf = (view: View): string => {
  if (Object.keys(view).length === 0) return '';
  const known = packed.get(view);
  if (known !== undefined) return known;
  const hash = prefix + toBase64Url(deflated(strToU8(JSON.stringify(view))));
  packed.set(view, hash);
  return hash;
};

/** Short data is stored uncompressed (RFC 1951, 3.2.4): compressing it gains nothing, and each row of a table has such a link. */
const deflated = (bytes: Uint8Array): Uint8Array => {
  const { length } = bytes;
  if (length > storedTo) return deflateSync(bytes, { level: 9 });
  return new Uint8Array([1, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255, ...bytes]);
};

const storedTo = 200;

/** Whether a view's conditions have so many values that its links are created only when about to be used. */
export const isLong = ({ filters = [] }: View): boolean => {
  const known = long.get(filters);
  if (known !== undefined) return known;
  const is = JSON.stringify(filters).length > longFrom;
  long.set(filters, is);
  return is;
};

const longFrom = 2_000;
const long = new WeakMap<NonNullable<View['filters']>, boolean>();

export type ReadLink = { readonly view: View; readonly isBroken: boolean };

/** The view of a hash. Unreadable input is reported, never guessed: an empty view and `isBroken`. */
export const viewOf = (hash: string): ReadLink => {
  if (hash === '' || hash === '#') return { view: {}, isBroken: false };
  if (!hash.startsWith(prefix)) return { view: {}, isBroken: /^#v\d/.test(hash) };
  try {
    const view: unknown = JSON.parse(strFromU8(inflateSync(fromBase64Url(hash.slice(prefix.length)))));
    if (isView(view)) return { view, isBroken: false };
  } catch {
    // reported below
  }
  return { view: {}, isBroken: true };
};

const toBase64Url = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
