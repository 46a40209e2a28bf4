import { Readable } from 'node:stream';
import { jsonParts, type JsonPart } from './json-parts.ts';

/** How much serialized text is buffered ahead of a slow client. */
const aheadBytes = 64 * 1024;

/**
 * A value as a stream of its JSON text, serialized as it is read.
 * @param taken called whenever the consumer reads more
 */
export const jsonStream = (value: unknown, taken: () => void): Readable => {
  const parts = jsonParts(value);
  return new Readable({
    highWaterMark: aheadBytes,
    read() {
      taken();
      for (;;) {
        const next = parts.next();
        if (next.done === true) return void this.push(null);
        if (!this.push(textOf(next.value))) return;
      }
    },
  });
};

const textOf = (part: JsonPart): string => {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'value':
      return JSON.stringify(part.value);
    case 'items':
      return JSON.stringify(part.items).slice(1, -1);
  }
};
