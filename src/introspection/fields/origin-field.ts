import type { JsonObject } from '../../json.ts';

/**
 * Where an indexed document came from: one object that indexing jobs write into each document and that nothing shows.
 * It stands in `introspection` because the rooms that hide it and the room that writes it both build on this one.
 */
export const originField = 'tributary_origin';

export interface Origin {
  /** The repository's code. */
  readonly repository: string;
  readonly organization: string;
  /** The attempt of a job that wrote the document. */
  readonly run: string;
  /** The record the document is a part of; absent when it is called as the document is. */
  readonly record?: string;
}

const keyword: JsonObject = { type: 'keyword' };

/** How the object is mapped. */
export const originProperties: JsonObject = {
  [originField]: {
    properties: { repository: keyword, organization: keyword, run: keyword, record: keyword },
  },
};

/** An index's properties or a stored document without the object; itself when it has none. */
export const withoutOrigin = (object: JsonObject): JsonObject =>
  Object.hasOwn(object, originField)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== originField))
    : object;
