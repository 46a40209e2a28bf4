import { lookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import { TributaryError } from '../errors/errors.ts';
import { unlessAborted } from '../concurrency/abort-listener.ts';
import { collectBytes } from '../net/bodies.ts';
import { connectionReason } from '../net/connection-reason.ts';
import { serverVersion } from '../runtime/server-version.ts';
import { imageForm, type ImageType } from './image-form.ts';
import { addressIn, isListed, isPublic, type ImageHost } from './image-hosts.ts';

/** A picture that may be shown. */
export interface Image {
  readonly type: ImageType;
  readonly bytes: Buffer;
}

/** How the addresses of hosts are found and reached. */
export interface ImageNetwork {
  /** All IP addresses of a name. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
  /** Connects to these addresses only, whatever the name of a request resolves to by then. */
  readonly connectTo: (addresses: readonly string[]) => Dispatcher;
}

export const maxImageBytes = 10 * 1024 * 1024;
const maxPixels = 50_000_000;
const maxRedirects = 3;
const fetchMs = 10_000;

/**
 * Fetches the picture at an address in a record, only from listed hosts with public addresses, by https unless the list
 * says http. Redirects are checked in the same way; an IP address that is itself on the list may be a private one.
 * @param timeoutMs for the whole download, including redirects
 * @throws TributaryError NOT_FOUND for an address that may not be fetched, UPSTREAM_FAILED for a host's failure
 */
export const fetchImage = async (
  address: string,
  hosts: readonly ImageHost[],
  network: ImageNetwork = publicInternet,
  timeoutMs: number = fetchMs,
): Promise<Image> => {
  const signal = AbortSignal.timeout(timeoutMs);
  let at = address;
  let base: string | undefined;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const url = allowedUrl(at, base, hosts);
    const answer = await fetchOnce(url, network, signal).catch((error: unknown) => {
      throw error instanceof TributaryError ? error : failed(reasonOf(error, signal), error);
    });
    if (typeof answer !== 'string') return checkedImage(answer);
    at = answer;
    base = url.href;
  }
  throw failed(`it redirects more than ${maxRedirects} times`);
};

/**
 * Checks that bytes are a whole picture in a supported format and of an allowed size.
 * @throws TributaryError UPSTREAM_FAILED
 */
export const checkedImage = (bytes: Buffer): Image => {
  const form = imageForm(bytes);
  if (form === null) throw failed('what is there is not a whole JPEG, PNG or WebP picture');
  if (form.width * form.height > maxPixels)
    throw failed(`it is larger than the ${maxPixels / 1e6} million pixels allowed`);
  return { type: form.type, bytes };
};

const allowedUrl = (address: string, base: string | undefined, hosts: readonly ImageHost[]): URL => {
  if (!URL.canParse(address, base)) throw refused('the value is not a web address');
  const url = new URL(address, base);
  if (url.username !== '' || url.password !== '') throw refused('its address holds a name or a password');
  const secure = new URL(url.href.replace(/^http:/, 'https:'));
  // old records contain http addresses of hosts that have long used https
  const allowed = [url, secure].find((one) => isListed(one, hosts));
  if (allowed !== undefined) return allowed;
  throw refused(`${url.origin} is not on the list of hosts for pictures (IMAGE_HOSTS)`);
};

/** @returns the picture's bytes, or where it redirects to */
const fetchOnce = async (
  url: URL,
  { resolve, connectTo }: ImageNetwork,
  signal: AbortSignal,
): Promise<Buffer | string> => {
  // a listed IP address may be private
  const literal = addressIn(url);
  const addresses =
    literal === null
      ? (await unlessAborted(resolve(url.hostname), signal, asError)).filter(isPublic)
      : [literal];
  if (addresses.length === 0) throw failed(`${url.hostname} has no public address`);
  const dispatcher = connectTo(addresses);
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher, signal, headers: requestHeaders });
    // closing the connection destroys the body of a response that is not read
    body.on('error', () => undefined);
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') return location;
    if (statusCode !== 200) throw failed(`its host answered HTTP ${statusCode}`);
    if (Number(headers['content-length'] ?? 0) > maxImageBytes) throw tooLarge();
    const bytes = await collectBytes(body as AsyncIterable<Buffer>, maxImageBytes);
    if (bytes === null) throw tooLarge();
    return bytes;
  } finally {
    void dispatcher.destroy();
  }
};

const asError = (reason: unknown): Error => reason as Error;

const requestHeaders = {
  accept: 'image/webp, image/jpeg, image/png',
  'accept-encoding': 'identity',
  // some hosts refuse requests without a user agent
  'user-agent': serverVersion().replace(' ', '/'),
};

const publicInternet: ImageNetwork = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connectTo: (addresses) => new Agent({ connect: { lookup: lookupOf(addresses), timeout: fetchMs } }),
};

/** A DNS lookup that always returns these addresses: the certificate is still checked against the name. */
export const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, found) => {
    const families = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (all === true) found(null, families);
    else found(null, families[0]!.address, families[0]!.family);
  };

const reasonOf = (error: unknown, signal: AbortSignal): string =>
  signal.aborted ? 'its host takes too long' : `its host cannot be read: ${connectionReason(error)}`;

const refused = (reason: string): TributaryError =>
  new TributaryError('NOT_FOUND', `the picture is not shown: ${reason}`);

const failed = (reason: string, cause?: unknown): TributaryError =>
  new TributaryError('UPSTREAM_FAILED', `the picture is not shown: ${reason}`, { cause });

const tooLarge = (): TributaryError => failed(`it is larger than the ${maxImageBytes} bytes allowed`);
