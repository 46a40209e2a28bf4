import type { DocumentNode, GraphQLSchema, ValidationRule } from 'graphql';
import { GraphQLError, Source, specifiedRules, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { runInSlices } from '../../concurrency/yield-to-event-loop.ts';
import type { ErrorCode } from '../../errors/errors.ts';
import type { QueryLimits } from '../koa/settings.ts';
import { limitRules } from './document-limits.ts';
import { documentOf, type Operation } from './parse-document.ts';

/** A document that may be run, or the reason why it may not. */
export type CheckedDocument =
  | ValidDocument
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

export interface ValidDocument {
  readonly kind: 'valid';
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
}

/**
 * Cache limits: number of documents, total characters, characters of one; the least recently used are evicted first.
 * Parsed and planned, even a short document takes ten kilobytes.
 */
const maxDocuments = 1_000;
const maxCharacters = 1_000_000;
const maxCachedLength = 50_000;

/** The schema that a document runs on, which may be a subset of the whole. */
export type SchemaFor = (document: DocumentNode) => GraphQLSchema;

/**
 * Parses and validates documents against a schema and its limits. Repeated documents, as portals send them, are checked
 * once.
 */
export const checkedDocuments = (
  schemaFor: SchemaFor,
  limits: QueryLimits,
): ((operation: Operation) => Promise<CheckedDocument>) => {
  const rules = [...specifiedRules, ...limitRules(limits)];
  const cache = new LRUCache<string, CheckedDocument>({
    max: maxDocuments,
    maxSize: maxCharacters,
    maxEntrySize: maxCachedLength,
    sizeCalculation: (_document, query) => query.length,
  });
  return async (operation) => {
    const known = cache.get(operation.query);
    if (known !== undefined) return known;
    const checked = await runInSlices(check(operation, schemaFor, rules));
    cache.set(operation.query, checked);
    return checked;
  };
};

/** Yields after each step, which takes long for a long document. */
function* check(
  operation: Operation,
  schemaFor: SchemaFor,
  rules: readonly ValidationRule[],
): Generator<void, CheckedDocument> {
  const parsed = documentOf(operation);
  if (parsed.kind === 'refused') {
    const { code, message, at } = parsed;
    return rejectDocument(code, [
      new GraphQLError(
        message,
        at === undefined ? {} : { source: new Source(operation.query), positions: [at] },
      ),
    ]);
  }
  yield;
  const { document } = parsed;
  const schema = schemaFor(document);
  const errors = validate(schema, document, rules);
  yield;
  return errors.length === 0
    ? { kind: 'valid', document, schema }
    : rejectDocument('GRAPHQL_VALIDATION_FAILED', errors);
}

type Refused = Extract<CheckedDocument, { kind: 'refused' }>;

const rejectDocument = (code: ErrorCode, errors: readonly GraphQLError[]): Refused => {
  for (const error of errors) error.extensions['code'] = code;
  return { kind: 'refused', errors };
};
