import { jsonParts, type JsonPart } from './json-parts.ts';
import { jsonSize } from './json-size.ts';
import { sliceMs, yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';

/** The size of a response, or that it exceeds the limit and the path of keys where most of it is. */
export type ResponseSize =
  | { readonly kind: 'fits'; readonly bytes: number }
  | { readonly kind: 'tooLarge'; readonly largestPath: readonly string[] };

/** Computes the JSON size of a response in slices, without serializing it, and stops at the limit. */
export const responseSize = async (body: unknown, maxBytes: number): Promise<ResponseSize> => {
  const lists = new Map<string, { readonly path: readonly string[]; bytes: number }>();
  let bytes = 0;
  let until = performance.now() + sliceMs;
  for (const part of jsonParts(body)) {
    const size = partSize(part);
    bytes += size;
    if (part.kind === 'items') addTo(lists, part.path, size);
    if (bytes > maxBytes) return { kind: 'tooLarge', largestPath: largest(lists) };
    if (performance.now() < until) continue;
    await yieldToEventLoop();
    until = performance.now() + sliceMs;
  }
  return { kind: 'fits', bytes };
};

const partSize = (part: JsonPart): number => {
  switch (part.kind) {
    case 'text':
      return Buffer.byteLength(part.text);
    case 'value':
      return jsonSize(part.value);
    case 'items':
      return jsonSize(part.items) - 2;
  }
};

type Lists = Map<string, { readonly path: readonly string[]; bytes: number }>;

const addTo = (lists: Lists, path: readonly string[], bytes: number): void => {
  const key = path.join('.');
  const list = lists.get(key) ?? { path, bytes: 0 };
  list.bytes += bytes;
  lists.set(key, list);
};

const largest = (lists: Lists): readonly string[] =>
  [...lists.values()].reduce((most, list) => (list.bytes > most.bytes ? list : most), {
    path: [] as readonly string[],
    bytes: 0,
  }).path;
