import { z } from 'zod';
import type { JsonValue } from '../json.ts';
import type { MapStep } from '../indexing/repositories/repository-config.ts';

/** What is expected of a key, also said when it is missing. */
const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `is missing: ${what} expected` : `${what} expected`,
});

const name = (what: string) => z.string(expected(what)).min(1, expected(what));
const wholeNumber = (least: number, most: number) => {
  const rule = expected(`a whole number of ${least} to ${most}`);
  return z.int(rule).min(least, rule).max(most, rule);
};

const baseUrlRule = expected('an http or https URL without user, password, query and fragment');
const baseUrl = z.string(baseUrlRule).refine((text) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username + url.password + url.search + url.hash === '';
}, baseUrlRule);

const codeRule = expected('a code without spaces, slashes, ?, # and %');
const indexRule = expected('the name of one index or alias');
const headerRule = expected("a header's name");

const credential = z.strictObject(
  {
    header: z.string(headerRule).regex(/^[\w!#$%&'*+.^`|~-]+$/, headerRule),
    env: name('the name of the variable that holds the value'),
  },
  expected('{"header", "env"}'),
);

const dottedPath = /^[^.]+(\.[^.]+)*$/;
const isPath = (value: unknown): value is string => typeof value === 'string' && dottedPath.test(value);

/** One step as the file has it, told apart by its keys. */
const mapStep = z.unknown().transform((step, context): MapStep => {
  const { rename, to, drop, constant, value, flatten } = (step ?? {}) as Record<string, unknown>;
  switch (Object.keys(Object(step)).sort().join()) {
    case 'rename,to':
      if (isPath(rename) && isPath(to) && rename !== to) return { kind: 'rename', from: rename, to };
      break;
    case 'drop':
      if (isPath(drop)) return { kind: 'drop', path: drop };
      break;
    case 'constant,value':
      if (isPath(constant)) return { kind: 'constant', path: constant, value: value as JsonValue };
      break;
    case 'flatten':
      if (isPath(flatten)) return { kind: 'flatten', path: flatten };
  }
  const message =
    'one of {"rename", "to"}, {"drop"}, {"constant", "value"} and {"flatten"} with dotted paths expected';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const stateRule = expected('a list of at least one state');
const state = z.string(stateRule).regex(/^[^\s,]+$/, expected('a state without spaces and commas'));

const common = {
  code: z.string(codeRule).regex(/^(?!\.\.?$)[^\s/\\?#%]+$/, codeRule),
  displayName: name('a text').optional(),
  baseUrl,
  indexName: z.string(indexRule).regex(/^[^\s\\/*?"<>|,#]+$/, indexRule),
  pageSize: wholeNumber(1, 10_000).default(100),
  timeoutMs: wholeNumber(100, 600_000).default(30_000),
  credential: credential.optional(),
  exclude: z.array(name('an id'), expected('a list of ids')).default([]),
  map: z.array(mapStep, expected('a list of steps')).default([]),
};

const isTrue = z.boolean(expected('true or false'));

/** One repository as the file has it, by its kind. */
export const repositoryEntries = {
  study: z.strictObject({
    kind: z.literal('study'),
    ...common,
    documents: z.enum(['analysis', 'file'], expected('"analysis" or "file"')).default('analysis'),
    indexableStates: z.array(state, stateRule).min(1, stateRule).default(['PUBLISHED']),
  }),
  record: z.strictObject({
    kind: z.literal('record'),
    ...common,
    categoryId: name('the id of a category, as a text'),
    validOnly: isTrue.default(true),
  }),
} as const;

export type RepositoryKind = keyof typeof repositoryEntries;
export type RepositoryEntry = z.output<(typeof repositoryEntries)[RepositoryKind]>;
