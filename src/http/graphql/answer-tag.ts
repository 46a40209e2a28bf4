import { hash } from 'node:crypto';
import { objectMark } from '../../search/object-mark.ts';
import { noteTold, tellsGeneration } from '../../search/told-generations.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { Caller } from '../../search/query.ts';
import { fieldsFingerprint } from '../../introspection/fields/fields-fingerprint.ts';
import { isJsonObject } from '../../json/json.ts';
import type { CatalogueView } from '../callers/guarded-view.ts';
import type { RequestContext } from '../koa/request-context.ts';
import type { GraphQLAnswer } from './graphql-endpoint.ts';
import type { GraphQLParams, GraphQLRequest } from './graphql-request.ts';
import { rootFieldNames } from './root-fields.ts';
import type { Reports } from './watched-caller.ts';

/** The entity tag of an answer, for requests with `If-None-Match`: what decides the answer, hashed. */
export interface AnswerTag {
  /** The tag, if the client holds what the answer would be. */
  readonly held: string | null;
  /** For the caller of the request; empty: nothing need be reported to it. */
  readonly reports: Reports;
  /** Of what was answered; null for an answer that may be another the next time. */
  readonly of: (answer: GraphQLAnswer) => string | null;
  /** Whether the client holds the answer of that tag. */
  readonly isHeld: (tag: string) => boolean;
}

/** Of requests that are answered without one. */
const noTag: AnswerTag = { held: null, reports: {}, of: () => null, isHeld: () => false };

/**
 * Only answers of records have a tag, and only those that the data, the configuration, the question and the caller's
 * rights decide: nothing of a guarded tier, of saved sets or of the clock, no pages by cursor, no errors.
 * @param caller whose access filter is a part of the tag, so that callers with other rights never have the same one
 * @throws TributaryError of the access filter
 */
export const answerTag = async (
  context: RequestContext,
  request: GraphQLRequest,
  view: CatalogueView | null,
  caller: Caller,
): Promise<AnswerTag> => {
  const known = context.get('if-none-match');
  if (known === '' || view?.tier !== 'records' || view.catalogue.generation === undefined) return noTag;
  const { catalogue } = view;
  const { params } = request;
  if (Array.isArray(params) || !isDecided(params, catalogue)) return noTag;
  const access = await caller.accessFilter(catalogue.config.catalogueId);
  const decided = JSON.stringify([params.query, params.variables, params.operationName, access]);
  if (isElsewhere.test(decided)) return noTag;
  const form = [context.get('tributary-node') === '1', context.get('accept')];
  const prefix = JSON.stringify([objectMark(catalogue), request.method, form, decided]);
  const tagOf = (generation: string): string => `W/"${hash('sha256', prefix + generation, 'base64url')}"`;
  const isHolding = known.includes('W/"');
  // read before the search: what is written in the meantime belongs to the next name
  const before = isHolding || !tellsGeneration(catalogue) ? await catalogue.generation!() : null;
  const now = before === null ? null : tagOf(before);
  const seen = new Set<string | null>();
  return {
    held: now !== null && isHolding && holds(known, now) ? now : null,
    reports: { searched: (generation) => void seen.add(generation) },
    of: ({ status, body }) => {
      if (!isWhole(status, body)) return null;
      const [told = null, ...others] = seen;
      noteTold(catalogue, told);
      const generation = told ?? before;
      return others.length > 0 || generation === null ? null : tagOf(generation);
    },
    isHeld: (tag) => holds(known, tag),
  };
};

const isWhole = (status: number, body: unknown): boolean =>
  status === 200 && isJsonObject(body) && !('errors' in body);

/**
 * Of a network, which is asked first: made from the tags and generations of everything that its nodes answered. Only
 * where each of them has one, and all of them answered.
 * @param catalogue the network as one; null: it is served as none
 */
export const networkAnswerTag = (
  context: RequestContext,
  { params, method }: GraphQLRequest,
  catalogue: () => Catalogue | null,
): AnswerTag => {
  const known = context.get('if-none-match');
  if (known === '' || Array.isArray(params)) return noTag;
  if (!isRepeatable(params, ['network', catalogue()?.config.documentType ?? null])) return noTag;
  const decided = JSON.stringify([params.query, params.variables, params.operationName]);
  if (isElsewhere.test(decided)) return noTag;
  const parts = new Map<string, string>();
  let isNamed = true;
  const composedOf = (asked: string, name: string | null): void => {
    // of two answers to one question, nobody knows which one is shown
    if (name === null || (parts.get(asked) ?? name) !== name) isNamed = false;
    else parts.set(asked, name);
  };
  return {
    held: null,
    reports: { composedOf },
    of: ({ status, body }) => {
      if (!isWhole(status, body) || !isNamed || parts.size === 0) return null;
      const all = JSON.stringify([method, context.get('accept'), decided, [...parts].sort(byAsked)]);
      return isElsewhere.test([...parts.values()].join()) ? null : `W/"${hash('sha256', all, 'base64url')}"`;
    },
    isHeld: (tag) => holds(known, tag),
  };
};

const byAsked = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1;

const holds = (known: string, tag: string): boolean => known.split(',').some((one) => one.trim() === tag);

/**
 * Saved sets have contents of their own, and `now` in dates is the clock's; either may be written with escapes, and
 * block strings begin with white space, which is escaped in JSON.
 */
const isElsewhere = /set_id:|"(?:\s|\\+[nrt])*now|\\\\u/i;

const isDecided = (params: GraphQLParams, { config }: Catalogue): boolean =>
  isRepeatable(params, [config.documentType]);

/** No other root fields, and no page that a cursor begins. */
const isRepeatable = (
  { query, variables = {} }: GraphQLParams,
  rootFields: readonly (string | null)[],
): boolean => {
  const cursors = query.matchAll(/\bsearchAfter\s*:\s*(?:\$(\w+)|\[)/g);
  for (const [, variable] of cursors)
    if (variable === undefined || (variables[variable] ?? null) !== null) return false;
  return [...rootFieldNames(query)].every((name) => rootFields.includes(name));
};

/** Tells who asks for tags, which are networks, what can be asked here: that this has changed is told by no tag. */
export const nameSchema = (context: RequestContext, catalogue: () => Catalogue | null): void => {
  const known = context.get('if-none-match') === '' ? null : catalogue();
  if (known !== null) context.set('tributary-schema', fieldsFingerprint(known.fields));
};

/** Has the answer kept by this client only, and never used unasked. */
export const tagAnswer = (context: RequestContext, tag: string): void => {
  context.set({ etag: tag, 'cache-control': 'private, no-cache' });
  context.vary('authorization, cookie, accept, tributary-node');
};
