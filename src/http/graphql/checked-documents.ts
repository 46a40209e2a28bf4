import type { ASTNode, DocumentNode, GraphQLSchema, ValidationRule } from 'graphql';
import {
  GraphQLError,
  Source,
  TypeInfo,
  ValidationContext,
  specifiedRules,
  visitInParallel,
  visitWithTypeInfo,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { newSerialQueue } from '../../concurrency/locks.ts';
import { runInSlices } from '../../concurrency/yield-to-event-loop.ts';
import type { ErrorCode } from '../../errors/errors.ts';
import type { QueryLimits } from '../koa/settings.ts';
import { limitRules } from './document-limits.ts';
import { parseText } from './parse-document.ts';

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
  const cache = new LRUCache<string, CheckedDocument>({
    max: maxDocuments,
    maxSize: maxCharacters,
    maxEntrySize: maxCachedLength,
    sizeCalculation: (_document, query) => query.length,
  });
  return async (query) => {
    const known = cache.get(query);
    if (known !== undefined) return known;
    const checking = (): Promise<CheckedDocument> => check(query, schemaFor, rules);
    const checked = await (query.length <= maxTogether ? checking() : largeDocuments(checking));
    cache.set(query, checked);
    return checked;
  };
};

/** One queue for all schemas, as they share the memory: many large documents at once would take gigabytes. */
const largeDocuments = newSerialQueue();

const check = async (
  query: string,
  schemaFor: SchemaFor,
  rules: readonly ValidationRule[],
): Promise<CheckedDocument> => {
  const parsed = await parseText(query, 'document');
  const source = new Source(query);
  if (parsed.kind === 'refused') {
    const { code, message, at } = parsed;
    return rejectDocument(code, [
      new GraphQLError(message, at === undefined ? {} : { source, positions: [at] }),
    ]);
  }
  const { document } = parsed;
  if (document.loc?.source === undefined) await runInSlices(placed(document, source));
  const schema = schemaFor(document);
  const errors = await validateInSlices(schema, document, rules);
  return errors.length === 0
    ? { kind: 'valid', document, schema }
    : rejectDocument('GRAPHQL_VALIDATION_FAILED', errors);
};

type Refused = Extract<CheckedDocument, { kind: 'refused' }>;

const rejectDocument = (code: ErrorCode, errors: readonly GraphQLError[]): Refused => {
  for (const error of errors) error.extensions['code'] = code;
  return { kind: 'refused', errors };
};

/** The same number of errors as graphql's own validate reports. */
const maxErrors = 100;
/** The clock is checked after this many nodes. */
const nodesToLook = 64;

/**
 * Like graphql's validate, which takes most of a second for the largest document accepted: yields to other requests
 * every few milliseconds.
 * @returns the errors, none when the document is valid
 */
export const validateInSlices = async (
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
): Promise<readonly GraphQLError[]> => {
  const errors: GraphQLError[] = [];
  const report = (error: GraphQLError): void => {
    if (errors.length >= maxErrors) throw tooManyErrors();
    errors.push(error);
  };
  const types = new TypeInfo(schema);
  const context = new ValidationContext(schema, document, types, report);
  const visitor = visitWithTypeInfo(types, visitInParallel(rules.map((rule) => rule(context))));
  try {
    await runInSlices(visits(document, visitor as Visitor));
  } catch (error) {
    // rules throw a GraphQLError to abort validation
    if (!(error instanceof GraphQLError)) throw error;
    errors.push(error);
  }
  return errors;
};

const tooManyErrors = (): GraphQLError =>
  new GraphQLError('Too many validation errors, error limit reached. Validation aborted.');

type Visitor = Readonly<Record<Step['kind'], (...args: readonly unknown[]) => unknown>>;

/** The visits of a document; pauses periodically. */
function* visits(document: DocumentNode, visitor: Visitor): Generator<undefined, void> {
  let seen = 0;
  for (const step of steps(document)) {
    visitor[step.kind](step.node, step.key, step.parent, step.path, step.ancestors);
    if (++seen % nodesToLook === 0) yield;
  }
}

/** Completes the locations of a document parsed in another thread: errors are positioned by them. */
function* placed(document: DocumentNode, source: Source): Generator<undefined, void> {
  let seen = 0;
  for (const { node } of steps(document)) {
    Object.assign(node.loc!, { source });
    if (++seen % nodesToLook === 0) yield;
  }
}

type Parent = ASTNode | readonly ASTNode[];

interface Step {
  readonly kind: 'enter' | 'leave';
  readonly node: ASTNode;
  readonly key: string | number | undefined;
  readonly parent: Parent | undefined;
  readonly path: readonly (string | number)[];
  readonly ancestors: readonly Parent[];
}

/** A node or a list of nodes whose children are being visited. */
interface Open {
  readonly value: Parent;
  readonly key: string | number | undefined;
  readonly keys: readonly (string | number)[];
  next: number;
}

/** The enter and leave calls of graphql's visit, in order, for a read-only visitor; iterative, not recursive. */
function* steps(document: DocumentNode): Generator<Step> {
  const path: (string | number)[] = [];
  const ancestors: Parent[] = [];
  const open: Open[] = [];
  const step = (kind: Step['kind'], node: ASTNode, key: Open['key']): Step => ({
    ...{ kind, node, key, path, ancestors },
    parent: open.at(-1)?.value,
  });
  const enter = (value: Parent, key: Open['key']): void => {
    const around = open.at(-1);
    if (around !== undefined) ancestors.push(around.value);
    open.push({ value, key, keys: isList(value) ? [...value.keys()] : childKeys(value), next: 0 });
  };
  yield step('enter', document, undefined);
  enter(document, undefined);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.next === last.keys.length) {
      open.pop();
      ancestors.pop();
      if (!isList(last.value)) yield step('leave', last.value, last.key);
      path.pop();
      continue;
    }
    const key = last.keys[last.next++]!;
    const value = (last.value as unknown as Record<string | number, Parent>)[key]!;
    path.push(key);
    if (!isList(value)) yield step('enter', value, key);
    enter(value, key);
  }
}

const isList = (value: Parent): value is readonly ASTNode[] => Array.isArray(value);

/** The keys of a node's children, in source order; descriptions are irrelevant to validation. */
const childKeys = (node: ASTNode): readonly string[] => {
  const keys: string[] = [];
  for (const [key, value] of Object.entries(node) as [string, unknown][])
    if (key !== 'loc' && key !== 'description' && isNodeOrNodes(value)) keys.push(key);
  return keys;
};

const isNodeOrNodes = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || 'kind' in value);
