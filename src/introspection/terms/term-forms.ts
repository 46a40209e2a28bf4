import { isIPv4, isIPv6 } from 'node:net';
import type { JsonObject, JsonValue } from '../../lib/json/json.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { normalizerNamed } from './normalizer.ts';

/**
 * How the strings of a field are kept, where they are not kept unchanged: equal values become equal strings, and the bytes of
 * these sort as the values do.
 */
export interface TermForm {
  /** Changes when the kept strings do, so that none written before are used. */
  readonly name: string;
  /** The kept string of a value; null for one that the type does not accept. */
  readonly term: (value: string) => string | null;
  /** The value as it is shown. */
  readonly shown: (term: string) => string;
  /** Whether the value as shown follows a sort key and `\0`. */
  readonly isKeyed: boolean;
}

/** The form of a type whatever its mapping; undefined for strings kept as they are. */
export const typeForm = (type: string): TermForm | undefined => forms[type];

/** The form of a mapped field. @param analysis from the index's settings */
export const termForm = (type: string, property: JsonObject, analysis: JsonObject): TermForm | undefined => {
  const { normalizer } = property;
  if (type !== 'keyword' || typeof normalizer !== 'string') return typeForm(type);
  const normalize = normalizerNamed(normalizer, analysis);
  if (typeof normalize === 'string') return undefined;
  return { name: `normalizer ${normalizer}`, term: normalize, shown: asKept, isKeyed: false };
};

/** The value that all documents of an index have for a constant_keyword. */
export const constantOf = ({ type, value }: JsonObject): string | undefined =>
  type === 'constant_keyword' && value !== undefined && value !== null ? String(value) : undefined;

/** The `analysis` of an index's settings. */
export const analysisOf = (settings: JsonValue | undefined): JsonObject => {
  const analysis = isJsonObject(settings) ? settings['analysis'] : undefined;
  return isJsonObject(analysis) ? analysis : {};
};

const asKept = (term: string): string => term;

const keyed = (name: string, sortKey: (value: string) => string | null, show = asKept): TermForm => ({
  name,
  term: (value) => {
    const key = sortKey(value);
    return key === null ? null : `${key}\0${show(value)}`;
  },
  shown: (term) => term.slice(term.indexOf('\0') + 1),
  isKeyed: true,
});

/** The first 96 bits of an IPv4 address among those of IPv6. */
const mapped = '0'.repeat(20) + 'ffff';

/** An address as 32 hexadecimal digits; null for anything else. */
export const addressDigits = (text: string): string | null => {
  if (isIPv4(text))
    return (
      mapped +
      text
        .split('.')
        .map((byte) => Number(byte).toString(16).padStart(2, '0'))
        .join('')
    );
  if (!isIPv6(text) || text.includes('%')) return null;
  const [head = '', tail] = compressed(text).split('::');
  const [before, behind] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array<string>(8 - before.length - behind.length).fill('0000');
  return [...before, ...zeros, ...behind].join('');
};

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => group.padStart(4, '0'));

/** An IPv6 address with its longest run of zeros left out, by the rules that RFC 5952 and URLs share. */
const compressed = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

/** An address as search servers show it: IPv4 wherever it can be. */
const shownAddress = (text: string): string => {
  if (isIPv4(text)) return text;
  const digits = addressDigits(text)!;
  if (!digits.startsWith(mapped)) return compressed(text);
  return [24, 26, 28, 30].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join('.');
};

/** The address of 32 hexadecimal digits, written out. */
export const addressOfDigits = (digits: string): string => digits.match(/.{4}/g)!.join(':');

/** The first and the last address of a block such as 10.0.0.0/8, in digits; null for anything else. */
export const addressBlock = (text: string): readonly [first: string, last: string] | null => {
  const [address = '', length = '', ...rest] = text.split('/');
  const digits = addressDigits(address);
  if (digits === null || !/^\d{1,3}$/.test(length) || rest.length > 0) return null;
  const isMapped = digits.startsWith(mapped);
  const bits = Number(length) + (isMapped ? 96 : 0);
  // a mapped address leaves open which bits its length counts, so search servers refuse it
  if (bits > 128 || (isMapped && !isIPv4(address))) return null;
  const host = (1n << BigInt(128 - bits)) - 1n;
  const whole = BigInt(`0x${digits}`);
  const text32 = (value: bigint): string => value.toString(16).padStart(32, '0');
  return [text32(whole & ~host), text32(whole | host)];
};

const number = '(?:0|[1-9]\\d*)';
const identifier = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const version = new RegExp(
  `^(${number}(?:\\.${number})*)(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+([0-9A-Za-z.-]+))?$`,
);

/** Digits sort as numbers: the longer ones behind the shorter ones. */
const counted = (text: string): string =>
  text.replace(/\d+/g, (digits) => String.fromCharCode(0x2f + Math.min(digits.length, 17)) + digits);

/** By semantic versioning: releases behind their pre-releases, other strings behind all versions. */
const versionKey = (text: string): string | null => {
  if (text.includes('\0')) return null;
  const [, release, preRelease, build = ''] = version.exec(text) ?? [];
  if (release === undefined) return `\x02${text}`;
  const before =
    preRelease === undefined
      ? '\x03'
      : `\x02${preRelease
          .split('.')
          .map((part) => (/^\d+$/.test(part) ? `\x01${counted(part)}` : counted(part)))
          .join('.')}`;
  return `\x01${counted(release)}${before}\x01${build}`;
};

const forms: Readonly<Record<string, TermForm>> = {
  ip: keyed('ip', addressDigits, shownAddress),
  version: keyed('version', versionKey),
};

/** Compares two values of such a type: negative when the first sorts before the second. */
export const compareTerms = (type: string, left: string, right: string): number => {
  const [a, b] = [left, right].map((value) => forms[type]?.term(value) ?? value);
  return Buffer.compare(Buffer.from(a!), Buffer.from(b!));
};

/** Whether values of the type have an order of their own that ranges follow. */
export const isOrderedText = (type: string): boolean => typeForm(type) !== undefined;
