import {
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ParseOptions,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ErrorCode } from '../../errors.ts';
import { mostTokens, oversized } from './document-size.ts';
import { limitRules } from './query-limits.ts';
import type { QueryLimits } from '../koa/settings.ts';

/** A document that may be run, or why it may not. */
export type CheckedDocument =
  | { readonly kind: 'valid'; readonly document: DocumentNode }
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

/**
 * Documents kept, their characters in all and those of one; the least used go first. Parsed and planned, even a short
 * one takes ten kilobytes.
 */
const keptDocuments = 1_000;
const keptCharacters = 1_000_000;
const longestKept = 50_000;

/**
 * Parses and validates documents against a schema and its limits. What is asked again and again, as portals do, is
 * looked at once.
 */
export const checkedDocuments = (
  schema: GraphQLSchema,
  limits: QueryLimits,
): ((query: string) => CheckedDocument) => {
  const rules = [...specifiedRules, ...limitRules(limits)];
  const kept = new LRUCache<string, CheckedDocument>({
    max: keptDocuments,
    maxSize: keptCharacters,
    maxEntrySize: longestKept,
    sizeCalculation: (_document, query) => query.length,
  });
  return (query) => {
    const known = kept.get(query);
    if (known !== undefined) return known;
    const checked = check(query, schema, rules);
    kept.set(query, checked);
    return checked;
  };
};

const parseOptions: ParseOptions = { maxTokens: mostTokens };

const check = (
  query: string,
  schema: GraphQLSchema,
  rules: Parameters<typeof validate>[2],
): CheckedDocument => {
  let document: DocumentNode;
  try {
    document = parse(query, parseOptions);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refused('GRAPHQL_PARSE_FAILED', [error]);
  }
  const size = oversized(document);
  const errors = size === null ? validate(schema, document, rules) : [size];
  return errors.length === 0 ? { kind: 'valid', document } : refused('GRAPHQL_VALIDATION_FAILED', errors);
};

const refused = (code: ErrorCode, errors: readonly GraphQLError[]): CheckedDocument => {
  for (const error of errors) error.extensions['code'] = code;
  return { kind: 'refused', errors };
};
