import type { DocumentNode, GraphQLSchema, ParseOptions, ValidationRule } from 'graphql';
import { GraphQLError, parse, specifiedRules, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ErrorCode } from '../../errors/errors.ts';
import { maxTokens, oversized, limitRules } from './document-limits.ts';
import type { QueryLimits } from '../koa/settings.ts';
import { newSerialQueue } from '../../concurrency/serial-queue.ts';
import { yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { validateInSlices } from './validate-in-slices.ts';

/** A document that may be run, or why it may not. */
export type CheckedDocument =
  | { readonly kind: 'valid'; readonly document: DocumentNode; readonly schema: GraphQLSchema }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

/**
 * Cache limits: number of documents, total characters, characters of one; least recently used are evicted first. Parsed
 * and planned, even a short document takes ten kilobytes.
 */
const maxDocuments = 1_000;
const maxCharacters = 1_000_000;
const maxCachedLength = 50_000;
/** In characters; longer documents are checked in slices, as this length takes some milliseconds. */
const maxUnslicedLength = 4_000;
/** In characters; longer documents are checked one at a time, as a parsed character can take a hundred bytes. */
const maxTogether = 100_000;

/** The schema that a document runs on, which may be a subset of the whole. */
export type SchemaFor = (document: DocumentNode) => GraphQLSchema;

/**
 * Parses and validates documents against a schema and its limits. Repeated documents, as portals send them, are checked
 * once.
 */
export const checkedDocuments = (
  schemaFor: SchemaFor,
  limits: QueryLimits,
): ((query: string) => Promise<CheckedDocument>) => {
  const rules = [...specifiedRules, ...limitRules(limits)];
  const kept = new LRUCache<string, CheckedDocument>({
    max: maxDocuments,
    maxSize: maxCharacters,
    maxEntrySize: maxCachedLength,
    sizeCalculation: (_document, query) => query.length,
  });
  return async (query) => {
    const known = kept.get(query);
    if (known !== undefined) return known;
    const checked = await checkerOf(query)(query, schemaFor, rules);
    kept.set(query, checked);
    return checked;
  };
};

const parseOptions: ParseOptions = { maxTokens };

type Rules = readonly ValidationRule[];

const check = (query: string, schemaFor: SchemaFor, rules: Rules): CheckedDocument => {
  const document = parsed(query);
  if ('errors' in document) return document;
  const size = oversized(document);
  if (size !== null) return rejectDocument('GRAPHQL_VALIDATION_FAILED', [size]);
  const schema = schemaFor(document);
  return checked(document, schema, validate(schema, document, rules));
};

const checkerOf = ({ length }: string) => {
  if (length <= maxUnslicedLength) return check;
  return length <= maxTogether ? checkInSlices : checkAlone;
};

/** Checks one document at a time: many large ones at once would take gigabytes. */
const checkAlone = (query: string, schemaFor: SchemaFor, rules: Rules): Promise<CheckedDocument> =>
  largeDocuments(() => checkInSlices(query, schemaFor, rules));

/** One queue for all schemas, as they share the memory. */
const largeDocuments = newSerialQueue();

/** The same, yielding to other requests in between; only parsing is not interruptible. */
const checkInSlices = async (query: string, schemaFor: SchemaFor, rules: Rules): Promise<CheckedDocument> => {
  await yieldToEventLoop();
  const document = parsed(query);
  if ('errors' in document) return document;
  await yieldToEventLoop();
  const size = oversized(document);
  if (size !== null) return rejectDocument('GRAPHQL_VALIDATION_FAILED', [size]);
  const schema = schemaFor(document);
  await yieldToEventLoop();
  const errors = await validateInSlices(schema, document, rules);
  await yieldToEventLoop();
  return checked(document, schema, errors);
};

type Refused = Extract<CheckedDocument, { kind: 'refused' }>;

const parsed = (query: string): DocumentNode | Refused => {
  try {
    return parse(query, parseOptions);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return rejectDocument('GRAPHQL_PARSE_FAILED', [isTooManyTokens(error) ? tooManyTokens() : error]);
  }
};

const isTooManyTokens = ({ message }: GraphQLError): boolean =>
  message.startsWith('Syntax Error: Document contains more that');

const tooManyTokens = (): GraphQLError =>
  new GraphQLError(
    `the document has more than the ${maxTokens} tokens allowed: send a long filter in a variable`,
  );

const checked = (
  document: DocumentNode,
  schema: GraphQLSchema,
  errors: readonly GraphQLError[],
): CheckedDocument =>
  errors.length === 0
    ? { kind: 'valid', document, schema }
    : rejectDocument('GRAPHQL_VALIDATION_FAILED', errors);

const rejectDocument = (code: ErrorCode, errors: readonly GraphQLError[]): Refused => {
  for (const error of errors) error.extensions['code'] = code;
  return { kind: 'refused', errors };
};
