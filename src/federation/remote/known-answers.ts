import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { deadlineHeader } from './passed-on.ts';

/** An answer that a node gave, and the tag by which it knows it again. */
export interface KnownAnswer {
  readonly tag: string;
  readonly body: Uint8Array;
}

/** The last answers of nodes, so that an unchanged one is not sent again. */
export interface KnownAnswers {
  readonly get: (key: string) => KnownAnswer | undefined;
  readonly keep: (key: string, answer: KnownAnswer) => void;
}

/** Of one answer and of all: those to portals' pages are small, and there may be very many nodes. */
const maxAnswerShare = 1 / 16;
const defaultMaxBytes = 32 * 1024 * 1024;
/** The size of an entry besides the bytes of its answer. */
const entryBytes = 512;

/** @param maxBytes of all answers; the least recently used make room */
export const openKnownAnswers = (maxBytes = defaultMaxBytes): KnownAnswers => {
  const answers = new LRUCache<string, KnownAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes * maxAnswerShare),
    sizeCalculation: ({ body }) => body.byteLength + entryBytes,
  });
  return {
    get: (key) => answers.get(key),
    keep: (key, { tag, body }) => {
      // a copy: what was received may be a part of a much larger buffer
      if (isTag(tag)) answers.set(key, { tag, body: new Uint8Array(body) });
      else answers.delete(key);
    },
  };
};

/** As RFC 9110 writes it; anything else would not go back as it came. */
const isTag = (tag: string): boolean => /^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/.test(tag);

/** They name a request or limit its time, and decide no answer that is kept. */
const naming = new Set(['x-request-id', 'traceparent', 'tracestate', deadlineHeader]);

/**
 * Names a request to a node: the address, the body, and every header that may decide the answer, those with the
 * caller's rights above all. Hashed, as some of them are secrets.
 */
export const requestKey = (
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string => {
  const deciding = Object.entries(headers).filter(([name]) => !naming.has(name.toLowerCase()));
  return hash('sha256', JSON.stringify([address, deciding.sort(), body]), 'base64url');
};
