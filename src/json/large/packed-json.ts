import { sliceMs, yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { roomBeside, setOwn } from '../json.ts';

/** A value as JSON texts, each of which takes about a millisecond to parse. */
export interface PackedJson {
  readonly shape: Packed;
  /** All texts concatenated, as UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Where a text begins and ends in the bytes. */
type Span = readonly [from: number, to: number];

type Packed =
  | { readonly kind: 'text'; readonly span: Span }
  | { readonly kind: 'list'; readonly parts: readonly ListPart[] }
  | { readonly kind: 'object'; readonly parts: readonly ObjectPart[] };

/** A text with items of a list, or a single packed item. */
type ListPart = Span | { readonly item: Packed };
/** A text with keys of an object, or a single key with its packed item. */
type ObjectPart = Span | { readonly key: string; readonly item: Packed };

const textCharacters = 128 * 1024;

/** Writes a parsed JSON value so that it can be read in slices. */
export const packJson = (value: unknown): PackedJson => {
  const texts: Buffer[] = [];
  let length = 0;
  const write = (part: unknown): Span => {
    const text = Buffer.from(jsonText(part));
    texts.push(text);
    length += text.length;
    return [length - text.length, length];
  };
  const pack = (part: unknown): Packed => {
    if (isSmall(part)) return { kind: 'text', span: write(part) };
    if (Array.isArray(part)) return { kind: 'list', parts: packList(part) };
    return { kind: 'object', parts: packObject(part as object) };
  };
  const packList = (list: readonly unknown[]): ListPart[] =>
    inGroups<unknown, ListPart>(list, (item) => item, {
      group: write,
      single: (item) => ({ item: pack(item) }),
    });
  const packObject = (object: object): ObjectPart[] =>
    inGroups<[string, unknown], ObjectPart>(Object.entries(object), ([, item]) => item, {
      group: (entries) => write(Object.fromEntries(entries)),
      single: ([key, item]) => ({ key, item: pack(item) }),
    });
  const shape = pack(value);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const text of texts) {
    bytes.set(text, at);
    at += text.length;
  }
  return { shape, bytes };
};

/** A number past the largest double is Infinity once parsed, which JSON.stringify would turn into null. */
const jsonText = (part: unknown): string => {
  const text = JSON.stringify(part);
  return text.includes('null') && holdsInfinity(part) ? JSON.stringify(part, infinityAsNumber) : text;
};

const holdsInfinity = (value: unknown): boolean => {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity);
};

/** JSON.parse reads the text 1e999 as Infinity. */
const infinityAsNumber = (_key: string, value: unknown): unknown =>
  value === Infinity || value === -Infinity ? rawJson(value > 0 ? '1e999' : '-1e999') : value;

/** TypeScript does not declare it yet. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Only lists and objects can be split. */
const isSmall = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || roomBeside(value, textCharacters) >= 0;

/** Groups small neighbouring parts, up to the maximum length of a text. */
const inGroups = <Item, Part>(
  items: readonly Item[],
  valueOf: (item: Item) => unknown,
  { group, single }: { group: (items: readonly Item[]) => Part; single: (item: Item) => Part },
): Part[] => {
  const parts: Part[] = [];
  let open: Item[] = [];
  let room = textCharacters;
  const end = (): void => {
    if (open.length > 0) parts.push(group(open));
    [open, room] = [[], textCharacters];
  };
  for (const item of items) {
    const value = valueOf(item);
    if (!isSmall(value)) {
      end();
      parts.push(single(item));
      continue;
    }
    open.push(item);
    room = roomBeside(value, room);
    if (room < 0) end();
  }
  end();
  return parts;
};

/** Unpacks a value, yielding to other requests in between. @throws the reason of the signal */
export const unpackJson = async ({ shape, bytes }: PackedJson, signal?: AbortSignal): Promise<unknown> => {
  const buffer = Buffer.from(bytes.buffer);
  let until = 0;
  const read = async ([from, to]: Span): Promise<unknown> => {
    if (performance.now() > until) {
      await yieldToEventLoop(signal);
      until = performance.now() + sliceMs;
    }
    return JSON.parse(buffer.toString('utf8', from, to));
  };
  const unpack = async (packed: Packed): Promise<unknown> => {
    if (packed.kind === 'text') return read(packed.span);
    if (packed.kind === 'list') {
      const list: unknown[] = [];
      for (const part of packed.parts) {
        if ('item' in part) list.push(await unpack(part.item));
        else for (const item of (await read(part)) as unknown[]) list.push(item);
      }
      return list;
    }
    const object: Record<string, unknown> = {};
    for (const part of packed.parts) {
      if ('item' in part) setOwn(object, part.key, await unpack(part.item));
      else for (const [key, item] of Object.entries((await read(part)) as object)) setOwn(object, key, item);
    }
    return object;
  };
  return unpack(shape);
};
