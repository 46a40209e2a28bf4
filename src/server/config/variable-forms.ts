import { isIP } from 'node:net';
import { z } from 'zod';
import { key, maxShown } from '../../introspection/fields/key.ts';

/** A switch: exactly `true`, `false`, `1` or `0`, so that a misspelt value never leaves something on. */
export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'true, false, 1 or 0 expected' })
  .transform((text) => text === 'true' || text === '1')
  .meta({ form: 'boolean' });

/** A whole number within limits. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, { error: `a whole number of at least ${min} expected` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: max === Number.MAX_SAFE_INTEGER ? `at least ${min} expected` : `${min} to ${max} expected`,
    })
    .meta({
      form: max >= maxShown ? `at least ${min}` : `${min} to ${max}`,
    });

/** The number of proxies, or whether there is one. */
export const proxies = z
  .string()
  .regex(/^(true|false|\d{1,2})$/, { error: 'true, false or the number of proxies expected' })
  .transform((text) => (text === 'true' ? 1 : text === 'false' ? 0 : Number(text)));

/** A TCP port; 0: any free one. */
export const port = wholeNumber(0, 65_535);
/** The path of a route. */
export const routePath = z
  .string()
  .regex(/^\/[\w\-./]*$/, { error: 'a path that starts with / expected' })
  .meta({ form: 'path' });
const originsExpected = 'origins such as https://portal.example.org expected, separated by commas';
const origin = z.string().regex(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^/\s,][^\s,]*|null)$/i, originsExpected);

/** The origin that browsers send instead of this one, which they never send; null if they may send it. */
const originOf = (part: string): string | null => {
  if (part === '*' || part.toLowerCase() === 'null') return null;
  if (part.includes('*')) return 'one host each, so list them all, or * alone for any';
  if (!/^https?:/i.test(part)) return /^[^:]+:\/\/[^/]+$/.test(part) ? null : 'no path';
  const origin = URL.canParse(part)
    ? new URL(part).origin
    : 'scheme, host and, if it is not the usual one, port';
  return origin === part.toLowerCase() ? null : origin;
};

/** Origins separated by commas, in lower case; null for all. */
export const origins = z.string().transform((text, context) => {
  const list = text
    .split(',')
    .map((part) => part.trim().replace(/\/$/, ''))
    .filter((part) => part !== '');
  // an empty list does not mean all origins
  if (list.length === 0) context.addIssue({ code: 'custom', message: originsExpected });
  for (const part of list) {
    const checked = origin.safeParse(part);
    const meant = checked.success ? originOf(part) : null;
    if (!checked.success) context.addIssue({ code: 'custom', message: checked.error.issues[0]!.message });
    else if (meant !== null)
      context.addIssue({ code: 'custom', message: `${part} never matches: browsers send ${meant}` });
  }
  return list.includes('*') ? null : list.map((part) => part.toLowerCase());
});

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** The issuer of tokens: unencrypted only on this machine. */
export const issuer = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      (new URL(text).protocol === 'https:' || (isHttpUrl(text) && isLoopback(new URL(text)))),
    { error: 'an https URL expected, or an http URL of this machine' },
  );

/** One address, or several of one cluster separated by commas. */
export const engineHosts = z
  .string()
  .refine((text) => text.split(',').every((part) => isHttpUrl(part.trim())), {
    error: 'an http or https URL expected, or several separated by commas',
  });

const doorExpected = 'on, off, or another segment for its paths expected';

/** Whether a door is open, and the segment of its paths. */
export const door = (meaning: string) =>
  key(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]*$/i, doorExpected)
      // false or OFF is not meant as a path
      .refine((text) => /^(on|off)$/.test(text) || !/^(on|off|true|false|yes|no)$/i.test(text), doorExpected)
      .default('on'),
    meaning,
    { form: '`on`, `off`, a path segment' },
  );

/** A host name in lower case; `*.` before it, and before at least two of its labels, stands for any name below. */
const imageHost = z
  .string()
  .toLowerCase()
  .refine((host) => isHostName(host.replace(/^\*\.(?=[^.]+\.[^.]+)/, '')), {
    error: ({ input }) =>
      `${String(input)} is not a host name: images.example.org or *.example.org expected, without scheme, port and path`,
  });

/** Whether a text is a name that URLs keep as it is: no address, no port, nothing around it. */
const isHostName = (text: string): boolean =>
  text.length <= 253 &&
  text.split('.').every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
  isIP(text) === 0 &&
  URL.canParse(`https://${text}/`) &&
  new URL(`https://${text}/`).hostname === text;

/** Hosts of pictures, separated by commas: browsers get them as sources of a content security policy. */
export const imageHosts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .pipe(z.array(imageHost));
