import { z } from 'zod';
import { key } from '../../../introspection/fields/key.ts';
import type { JsonValue } from '../../../lib/json/json.ts';
import type { MapStep } from '../../../indexing/repositories/repository.ts';

/** The message about the expected form of a key, also used when the key is missing. */
const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `is missing: ${what} expected` : `${what} expected`,
});

const name = (what: string) => z.string(expected(what)).min(1, expected(what));
const wholeNumber = (min: number, max: number) => {
  const rule = expected(`a whole number of ${min} to ${max}`);
  return z.int(rule).min(min, rule).max(max, rule);
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
    header: key(z.string(headerRule).regex(/^[\w!#$%&'*+.^`|~-]+$/, headerRule), 'The header it is sent in.'),
    env: key(name('the name of the variable that holds the value'), 'The variable that holds it.'),
  },
  expected('{"header", "env"}'),
);

const dottedPath = /^[^.]+(\.[^.]+)*$/;
const isPath = (value: unknown): value is string => typeof value === 'string' && dottedPath.test(value);

/** One step as in the file; its keys show which kind of step it is. */
const mapStep = z
  .unknown()
  .transform((step, context): MapStep => {
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
  })
  .meta({ form: 'steps' });

const stateRule = expected('a list of at least one state');
const state = z.string(stateRule).regex(/^[^\s,]+$/, expected('a state without spaces and commas'));

const common = {
  code: key(z.string(codeRule).regex(/^(?!\.\.?$)[^\s/\\?#%]+$/, codeRule), 'Its name in paths.'),
  displayName: key(name('a text').optional(), 'Its display name.', { byDefault: 'the `code`' }),
  baseUrl: key(baseUrl, 'Its address.', { form: 'URL' }),
  indexName: key(z.string(indexRule).regex(/^[^\s\\/*?"<>|,#]+$/, indexRule), 'The index or alias to fill.'),
  pageSize: key(wholeNumber(1, 10_000).default(100), 'Records per request.'),
  timeoutMs: key(wholeNumber(100, 600_000).default(30_000), 'The time limit of a request, in milliseconds.'),
  credential: key(credential.optional(), 'Sent with requests.'),
  exclude: key(z.array(name('an id'), expected('a list of ids')).default([]), 'Ids to leave out.'),
  map: key(
    z.array(mapStep, expected('a list of steps')).default([]),
    'How documents are [transformed](loading.md#transform-and-exclude-documents).',
  ),
};

const isTrue = z.boolean(expected('true or false'));

/** The schemas of repositories in the file, by kind. */
export const repositoryEntries = {
  study: z.strictObject({
    kind: key(z.literal('study'), 'What kind of repository it is.'),
    ...common,
    documents: key(
      z.enum(['analysis', 'file'], expected('"analysis" or "file"')).default('analysis'),
      'A document is an analysis, or a file with its analysis.',
    ),
    indexableStates: key(
      z.array(state, stateRule).min(1, stateRule).default(['PUBLISHED']),
      'States of analyses to index.',
    ),
  }),
  record: z.strictObject({
    kind: key(z.literal('record'), 'What kind of repository it is.'),
    ...common,
    categoryId: key(name('the id of a category, as a text'), 'The category to index.'),
    validOnly: key(isTrue.default(true), 'Leaves out invalid records.'),
  }),
} as const;

export type RepositoryKind = keyof typeof repositoryEntries;
export type RepositoryEntry = z.output<(typeof repositoryEntries)[RepositoryKind]>;
