import type { JsonObject } from '../../json/json.ts';

/**
 * The origin of an indexed document: an object that indexing jobs write into each document and that is never shown.
 * Defined in `introspection` because both the modules that hide it and the one that writes it depend on this one.
 */
export const originField = 'tributary_origin';

export interface Origin {
  /** The repository's code. */
  readonly repository: string;
  readonly organization: string;
  /** The attempt of a job that wrote the document. */
  readonly run: string;
  /** The record that the document is part of; absent when it has the same name as the document. */
  readonly record?: string;
}

const keyword: JsonObject = { type: 'keyword' };

/** The mapping of the object. */
export const originProperties: JsonObject = {
  [originField]: {
    properties: { repository: keyword, organization: keyword, run: keyword, record: keyword },
  },
};

/** An index's properties or a stored document without the object; the same instance if there is none. */
export const withoutOrigin = (object: JsonObject): JsonObject =>
  Object.hasOwn(object, originField)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== originField))
    : object;
