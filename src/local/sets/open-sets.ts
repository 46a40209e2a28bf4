import { createHash } from 'node:crypto';
import { newSerialQueue } from '../../lib/concurrency/locks.ts';
import type { Engine } from '../../engines/engine.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { MISSING, group, leaf, type Sqon } from '../../sqon/ast.ts';
import { printSqon } from '../../sqon/parse.ts';
import { storedValues } from '../hits/stored-document.ts';
import type { CatalogueHit, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { catalogueSearch } from '../search/search.ts';
import type { LocalSettings } from '../search/settings.ts';
import type { SetScope, SetStore } from '../../search/saved-set.ts';
import {
  rejectBeyond,
  ensureSetIndex,
  setFields,
  setsConfig,
  setBounds,
  type SetBounds,
} from './set-index.ts';

/** Saved sets in an index of the engine. The index is created by `ready`, or on first use. */
export interface OpenSets extends SetStore {
  /** @throws TributaryError the engine's error; the next use tries again */
  readonly ready: () => Promise<unknown>;
}

/** The settings openSets needs besides the index. */
export interface SetSettings extends Pick<LocalSettings, 'searchTimeoutMs'> {
  /** Unset: `setBounds`. */
  readonly bounds?: SetBounds;
}

/** @param index the name of the index that holds the sets */
export const openSets = (
  engine: Engine,
  index: string,
  { bounds = setBounds, ...settings }: SetSettings = {},
): OpenSets => {
  const ready = once(() => ensureSetIndex(engine, index));
  const searchAll = catalogueSearch({
    config: setsConfig(index),
    index,
    fields: setFields,
    engine,
    settings,
  });
  const search = async (...[query, context]: Parameters<SearchFn>): ReturnType<SearchFn> => {
    await ready();
    return searchAll(query, context);
  };
  const saves = newSerialQueue();
  const save: SetStore['save'] = async (set, scope, access, { owner, sharedWith }, context) => {
    const mayHaveOwners = await ready();
    if (owner !== null && !mayHaveOwners) throw withoutOwners(index);
    const own = {
      catalogueId: scope.catalogueId,
      ...(access === null ? {} : { access: fingerprint(access) }),
      ...(owner === null ? {} : { owner, sharedWith }),
    };
    const bytes = Buffer.byteLength(JSON.stringify(set));
    await rejectBeyond(bounds, { owner, userId: set.userId, bytes }, searchAll, context);
    const document: JsonObject = { ...set, ...own, bytes };
    const [outcome] = await engine.write(index, [{ kind: 'upsert', id: set.setId, document }]);
    if (outcome?.status === 'refused')
      throw new TributaryError('ENGINE_ERROR', `the engine refused the set: ${outcome.reason}`);
  };
  return {
    ready,
    // one at a time: each sees what the previous ones left of the bounds
    save: (...saved) => saves(() => save(...saved)),
    valuesOf: async (setIds, catalogueId, context) => {
      const values = new Map<string, readonly string[]>();
      for (const hit of await hitsOf(search, setIds, context))
        if (isOwn(hit, context.caller.subject?.()) && (await isFor(hit, catalogueId, context)))
          values.set(...idAndValues(hit));
      const unknown = setIds.find((setId) => !values.has(setId));
      if (unknown !== undefined) throw unknownSet(unknown);
      return values;
    },
    search: (scope) => async (query, context) => search(query, await readerOf(scope, context)),
  };
};

/** Runs once; after a failure the next call tries again. */
const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let done: Promise<Result> | null = null;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = null;
      throw error;
    });
    return done;
  };
};

/** The caller as a reader of one catalogue's sets: the search's access filter excludes all others. */
const readerOf = async (
  { catalogueId, documentType }: SetScope,
  context: RequestContext,
): Promise<RequestContext> => {
  const access = await context.caller.accessFilter(catalogueId);
  const rules = [
    leaf('in', 'type', [documentType]),
    leaf('in', 'catalogueId', [catalogueId, ...(access === null ? [MISSING] : [])]),
    ...(access === null ? [] : [leaf('in', 'access', [fingerprint(access)])]),
    ownRule(context.caller.subject?.()),
  ];
  return context.withAccessFilter(() => group('and', rules));
};

/** All verified callers. */
const everyone = '*';

const ownRule = (subject: string | undefined): Sqon => {
  if (subject === undefined) return leaf('in', 'owner', [MISSING]);
  // `*` would be a pattern, and a subject may look like one
  const exactly = (field: string, values: readonly string[]): Sqon => ({
    ...leaf('in', field, values),
    exactFrom: 0,
  });
  return group('or', [exactly('owner', [subject]), exactly('sharedWith', [subject, everyone])]);
};

/** As `ownRule`, for one set. */
const isOwn = ({ source: { owner, sharedWith } }: CatalogueHit, subject: string | undefined): boolean =>
  subject === undefined
    ? storedValues(owner).length === 0
    : owner === subject || storedValues(sharedWith).some((value) => value === subject || value === everyone);

const withoutOwners = (index: string): TributaryError =>
  new TributaryError(
    'permission_denied',
    `sets of verified callers cannot be kept: the index ${index} needs the keyword fields owner and sharedWith`,
  );

const hitsOf = async (
  search: SearchFn,
  setIds: readonly string[],
  context: RequestContext,
): Promise<readonly CatalogueHit[]> => {
  const { hits } = await search(
    {
      filters: { ...leaf('in', 'setId', setIds), exactFrom: 0 },
      filterThemselves: false,
      includeMissing: false,
      facets: [],
      hits: {
        first: setIds.length,
        offset: 0,
        sort: [],
        searchAfter: null,
        trackTotal: false,
        fields: ['setId', 'ids', 'catalogueId', 'access', 'owner', 'sharedWith'],
      },
    },
    context.withAccessFilter(() => null),
  );
  return hits;
};

const unknownSet = (setId: string): TributaryError => {
  const shortened = setId.slice(0, 100);
  return badUserInput(`there is no saved set ${JSON.stringify(shortened)}`, {
    details: { setId: shortened },
  });
};

/** A set of a catalogue that is hidden from the caller is reported as unknown, like one that does not exist. */
const isFor = async (
  { source: { catalogueId, access } }: CatalogueHit,
  searchedId: string,
  context: RequestContext,
): Promise<boolean> => {
  try {
    const filter = await context.caller.accessFilter(
      typeof catalogueId === 'string' ? catalogueId : searchedId,
    );
    return filter === null || fingerprint(filter) === access;
  } catch (error) {
    if (error instanceof TributaryError) return false;
    throw error;
  }
};

const idAndValues = ({ source }: CatalogueHit): [string, readonly string[]] => [
  String(source['setId']),
  storedValues(source['ids']).map(String),
];

/** Filters that print the same have the same fingerprint. */
const fingerprint = (access: Sqon): string =>
  createHash('sha256')
    .update(JSON.stringify(printSqon(access)))
    .digest('base64url');
