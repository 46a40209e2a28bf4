import { describe, type Catalogue } from '../../portal/src/api/catalogue.ts';
import type { PortalConfig } from '../../portal/src/api/config.ts';
import { download } from '../../portal/src/api/download.ts';
import type { Filter } from '../../portal/src/api/filter.ts';
import {
  fetchExtents,
  fetchMatching,
  fetchOverview,
  fetchPage,
  fetchTotal,
} from '../../portal/src/api/questions.ts';
import { askRecord } from '../../portal/src/api/record.ts';
import { setBase } from '../../portal/src/api/server.ts';
import { fetchMeant, fetchSuggestions } from '../../portal/src/api/suggestions.ts';
import { questionOf, shownPaths, sizesOf } from '../../portal/src/explore/view-question.ts';
import { chartSizes, everything, startPaths } from '../../portal/src/start/start-question.ts';
import { withSearch } from '../../portal/src/state/edit.ts';
import type { View } from '../../portal/src/state/view.ts';
import { idAt } from '../engine/documents.ts';
import type { Kind, Sent } from './kinds.ts';

const signal = new AbortController().signal;

/** A user's action, by the portal's own code. */
interface Action {
  readonly name: string;
  readonly run: (parts: Parts, turn: number) => Promise<unknown>;
}

interface Parts {
  readonly catalogue: Catalogue;
  readonly config: PortalConfig;
  readonly extents: Awaited<ReturnType<typeof fetchExtents>>;
  readonly names: readonly string[];
}

/** Records the requests that the portal sends for its users' actions, at a server on the documents of engine/documents.ts. */
export const portalRequests = async (url: string): Promise<readonly Kind[]> => {
  setBase(new URL(`${url}/`));
  const config = (await (await fetch(`${url}/portal/config.json`)).json()) as PortalConfig;
  const catalogue = await describe(config.sources.find(({ kind }) => kind === 'catalogue')!);
  const extents = await fetchExtents(catalogue, [...catalogue.fields.keys()]);
  const parts = { config, catalogue, extents, names: searchedNames(catalogue) };
  const kinds: Kind[] = [];
  for (const action of actions) {
    const [first, second] = [
      await recorded(() => action.run(parts, 1)),
      await recorded(() => action.run(parts, 2)),
    ];
    const named = (at: number): string => (first.length === 1 ? action.name : `${action.name}, ${at + 1}`);
    first.forEach((sent, at) =>
      kinds.push({ name: named(at), sent: (turn) => (turn === 1 ? sent : second[at]!) }),
    );
  }
  return kinds;
};

/** What an action posts. */
const recorded = async (act: () => Promise<unknown>): Promise<readonly Sent[]> => {
  const { fetch: original } = globalThis;
  const sent: Sent[] = [];
  globalThis.fetch = (input, init) => {
    if (init?.method === 'POST')
      sent.push({ path: new URL(input as string).pathname, body: init.body as string });
    return original(input, init);
  };
  try {
    await act();
  } finally {
    globalThis.fetch = original;
  }
  return sent;
};

/** As the search box does: no nested objects, no booleans. */
const searchedNames = ({ fields }: Catalogue): readonly string[] =>
  [...fields.values()]
    .filter(
      ({ path, kind, type }) =>
        (kind === 'values' || kind === 'text') && type !== 'boolean' && !path.startsWith('samples.'),
    )
    .map(({ path }) => path);

const typed = (turn: number): string => ['turkey', 'marten', 'badger'][turn]!;
const searched = ({ names }: Parts, turn: number): View => withSearch({}, names, typed(turn));
const ticked = (count: number, turn: number): View => ({
  filters: (
    [
      ['sex', ['s0']],
      ['institution', [`Inst/${turn}`]],
      ['tags', [`tag${turn}`, `tag${turn + 1}`]],
      ['donor.country', [`C${turn}`]],
      ['samples.kind', [`K${turn}`]],
    ] as const
  )
    .slice(0, count)
    .map(([fieldName, value]): Filter => ({ op: 'in', content: { fieldName, value } })),
});

const explored = ({ catalogue, config, extents }: Parts, view: View): Promise<unknown> =>
  fetchOverview(
    catalogue,
    questionOf(view, catalogue),
    shownPaths(config, catalogue, view),
    sizesOf(view, {}),
    { extents },
  );

const paged = ({ catalogue }: Parts, view: View, sort: string | null, after: unknown): Promise<unknown> =>
  fetchPage(catalogue, questionOf(view, catalogue), {
    columns: catalogue.columns.filter(({ isShown }) => isShown),
    sort: sort === null ? [] : [{ fieldName: sort, order: 'asc' }],
    after,
    size: 20,
  });

const saved = ({ catalogue }: Parts, view: View): Promise<unknown> =>
  download(
    catalogue,
    questionOf(view, catalogue),
    { fileType: 'tsv', plan: null, columns: catalogue.columns.filter(({ isShown }) => isShown), sort: [] },
    () => undefined,
    signal,
  );

const actions: readonly Action[] = [
  {
    name: 'start page: charts',
    run: ({ catalogue, config, extents }) =>
      fetchOverview(catalogue, everything, startPaths(config, catalogue), chartSizes({}), { extents }),
  },
  {
    name: 'explore: ranges',
    run: ({ catalogue, config }) => fetchExtents(catalogue, shownPaths(config, catalogue, {})),
  },
  { name: 'explore: facets', run: (parts) => explored(parts, {}) },
  { name: 'explore: rows', run: (parts) => paged(parts, {}, null, null) },
  { name: 'explore: rows by text', run: (parts) => paged(parts, {}, 'title', null) },
  { name: 'explore: rows by number', run: (parts) => paged(parts, {}, 'weight', null) },
  { name: 'explore: next rows', run: (parts, turn) => paged(parts, {}, 'weight', [500 + turn]) },
  { name: 'one condition: facets', run: (parts, turn) => explored(parts, ticked(2, turn)) },
  { name: 'five conditions: facets', run: (parts, turn) => explored(parts, ticked(5, turn)) },
  { name: 'five conditions: rows', run: (parts, turn) => paged(parts, ticked(5, turn), 'title', null) },
  {
    name: 'charts: facets',
    run: (parts, turn) => explored(parts, { ...ticked(1, turn), tab: 'charts' }),
  },
  {
    name: 'typing: suggestions',
    run: ({ catalogue }, turn) => fetchSuggestions(catalogue, everything, typed(turn).slice(0, 3), []),
  },
  {
    name: 'typing: count',
    run: (parts, turn) => fetchTotal(parts.catalogue, questionOf(searched(parts, turn), parts.catalogue)),
  },
  {
    name: 'typing: did you mean',
    run: ({ catalogue }, turn) => fetchMeant(catalogue, null, typed(turn), []),
  },
  { name: 'search: facets', run: (parts, turn) => explored(parts, searched(parts, turn)) },
  { name: 'search: rows', run: (parts, turn) => paged(parts, searched(parts, turn), null, null) },
  {
    name: 'a facet’s search',
    run: ({ catalogue }, turn) =>
      fetchMatching(catalogue, everything, 'collector', typed(turn).slice(0, 2), 50),
  },
  {
    name: 'a record',
    run: ({ catalogue }, turn) => askRecord(catalogue, { id: idAt(turn + 7), nodeId: catalogue.source.id }),
  },
  { name: 'a download', run: (parts, turn) => saved(parts, ticked(5, turn)) },
];
