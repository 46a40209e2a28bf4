import fc from '../fast-check.ts';
import { Agent } from 'undici';
import type { Network } from '../../src/federation/network.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json/json.ts';
import type { Catalogue } from '../../src/search/catalogue.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { serveEstablishedServer } from './established/established-server.ts';
import type { Properties } from './established/type-definitions.ts';
import { serveSchema } from './remote-server.ts';
import { askNetwork, openCase, testCatalogue, testNetwork } from '../builders.ts';

/** A record in the network's names and values. */
export interface Item {
  readonly id: string;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly size: readonly number[];
  readonly weight: number | null;
  readonly planted: string | null;
  readonly open: boolean | null;
  readonly parts: readonly { readonly kind: string | null; readonly count: number | null }[];
}

export const names = ['elm', 'fir', 'oak', 'Éder', '\u{1f333}', '\uffee'];
export const tags = ['red', 'green', 'blue', 'grey'];
export const kinds = ['root', 'stem', 'leaf'];
export const dates = ['1999-12-31', '2001-03-05T10:00:00.000Z', '2001-04-01', '2003-01-01'];

const item: fc.Arbitrary<Omit<Item, 'id'>> = fc.record({
  name: fc.option(fc.constantFrom(...names)),
  tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 3 }),
  size: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 2 }),
  weight: fc.option(fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4)),
  planted: fc.option(fc.constantFrom(...dates)),
  open: fc.option(fc.boolean()),
  parts: fc.array(
    fc.record({
      kind: fc.option(fc.constantFrom(...kinds)),
      count: fc.option(fc.integer({ min: 0, max: 5 })),
    }),
    { maxLength: 3 },
  ),
});

/** How one node keeps its share: names, values and types of its own. */
export interface NodeStyle {
  readonly renames: boolean;
  /** How many of the tags and kinds have another value there. */
  readonly translated: number;
  readonly sizeType: 'long' | 'integer' | 'double';
  /** The node has no such field, so no record of its share has one. */
  readonly lacksPlanted: boolean;
  /** Fields that it has neither, although another node has; unset: none. */
  readonly lacks?: readonly Lacked[];
}

/** Fields that some tests leave out at some nodes. */
export const lackable = ['name', 'tags', 'open', 'parts', 'parts.kind'] as const;
type Lacked = (typeof lackable)[number];

const isLacked = (path: string, { lacks = [] }: NodeStyle): boolean =>
  lacks.some((one) => path === one || path.startsWith(`${one}.`));

const style: fc.Arbitrary<NodeStyle> = fc.record({
  renames: fc.boolean(),
  translated: fc.nat(4),
  sizeType: fc.constantFrom('long', 'integer', 'double'),
  lacksPlanted: fc.boolean(),
});

/** The style of the one node that holds everything. */
export const plain: NodeStyle = { renames: false, translated: 0, sizeType: 'long', lacksPlanted: false };

export interface Share {
  readonly style: NodeStyle;
  readonly items: readonly Item[];
  /** Whether its documents lack what is null or empty; unset: it is stored. */
  readonly omitsNulls?: true;
}

/** Random records in random shares of 1 to 6 nodes. */
export const shares: fc.Arbitrary<readonly Share[]> = fc
  .tuple(
    fc.array(style, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.nat(5), item), { maxLength: 36 }),
  )
  .map(([styles, drafts]) => {
    const placed = drafts.map(([place, draft], index) => {
      const node = place % styles.length;
      const id = `d${String(index).padStart(2, '0')}`;
      return { node, item: { ...draft, id, ...(styles[node]!.lacksPlanted && { planted: null }) } };
    });
    return styles.map((one, node) => ({
      style: one,
      items: placed.filter((each) => each.node === node).map((each) => each.item),
    }));
  });

export const allItems = (split: readonly Share[]): readonly Item[] => split.flatMap(({ items }) => items);

/** All records at one node. */
export const whole = (split: readonly Share[]): readonly Share[] => [
  { style: plain, items: allItems(split) },
];

const renamed = {
  name: 'title',
  tags: 'about.labels',
  size: 'about.size',
  weight: 'mass',
  open: 'is-open',
  parts: 'pieces',
  'parts.kind': 'pieces.type',
  'parts.count': 'pieces.how.many',
} as const;
type Renamed = keyof typeof renamed;

const ownName = (path: string, { renames }: NodeStyle): string =>
  renames && Object.hasOwn(renamed, path) ? renamed[path as Renamed] : path;

const own = (value: string): string => `x:${value}`;

const translations = (listed: readonly string[], { translated }: NodeStyle): Record<string, string> =>
  Object.fromEntries(listed.slice(0, translated).map((value) => [own(value), value]));

const ownValue = (value: string, listed: readonly string[], { translated }: NodeStyle): string =>
  listed.indexOf(value) < translated ? own(value) : value;

const propertiesOf = (style: NodeStyle): JsonObject => {
  const types: Record<string, JsonObject> = {
    id: { type: 'keyword' },
    name: { type: 'keyword' },
    tags: { type: 'keyword' },
    size: { type: style.sizeType },
    weight: { type: 'double' },
    ...(!style.lacksPlanted && { planted: { type: 'date' } }),
    open: { type: 'boolean' },
    parts: { type: 'nested' },
    'parts.kind': { type: 'keyword' },
    'parts.count': { type: 'integer' },
  };
  const root: MutableProperties = {};
  for (const [path, type] of Object.entries(types)) {
    if (isLacked(path, style)) continue;
    const segments = ownName(path, style).split('.');
    let at = root;
    for (const segment of segments.slice(0, -1)) at = (at[segment] ??= {}).properties ??= {};
    at[segments.at(-1)!] = { ...type };
  }
  return root as JsonObject;
};

interface MutableProperties {
  [name: string]: { type?: JsonValue; properties?: MutableProperties };
}

/** The document without properties that are null or empty: whether a record has one, a node need not say. */
const withoutNulls = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).map(withoutNulls)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, inner]) =>
            inner == null || (Array.isArray(inner) && inner.length === 0) ? [] : [[key, withoutNulls(inner)]],
          ),
        )
      : value;

const storedItem = ({ omitsNulls, style }: Omit<Share, 'items'>, one: Item): JsonObject => {
  const document = documentOf(one, style);
  return omitsNulls ? (withoutNulls(document) as JsonObject) : document;
};

const documentOf = (one: Item, style: NodeStyle): JsonObject => {
  const at = (path: string): string => ownName(path, style);
  const put = (path: string, value: JsonValue): JsonObject =>
    path
      .split('.')
      .reverse()
      .reduce<JsonValue>((inner, key) => ({ [key]: inner }), value) as JsonObject;
  const parts = one.parts.map(({ kind, count }): JsonObject => {
    const [outer, inner] = [at('parts').length + 1, kind && ownValue(kind, kinds, style)];
    return { ...put(at('parts.kind').slice(outer), inner), ...put(at('parts.count').slice(outer), count) };
  });
  const about: JsonObject = {
    tags: one.tags.map((tag) => ownValue(tag, tags, style)),
    size: one.size,
  };
  return {
    id: one.id,
    [at('name')]: one.name,
    [at('weight')]: one.weight,
    [at('open')]: one.open,
    [at('parts')]: parts,
    ...(!style.lacksPlanted && { planted: one.planted }),
    ...(style.renames ? { about: { labels: about['tags']!, size: about['size']! } } : about),
  };
};

/** A catalogue over a naive engine. */
export const catalogueOf = ({ items, ...share }: Share): Promise<Catalogue> =>
  testCatalogue({
    ...{ documentType: 'item', properties: propertiesOf(share.style) },
    documents: items.map((one) => storedItem(share, one)),
    extended: ['tags', 'size'].map((path) => ({ fieldName: ownName(path, share.style), isArray: true })),
  });

const mappingOf = (style: NodeStyle) => ({
  ...(style.renames && { fields: renamed }),
  ...(style.translated > 0 && {
    values: { tags: translations(tags, style), 'parts.kind': translations(kinds, style) },
  }),
});

export interface OpenedNetwork {
  /** @throws when GraphQL answers with errors */
  readonly runQuery: (query: string, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

/**
 * The shares as nodes of one network.
 * @param overHttp every second node is a remote one
 */
export const openShares = async (split: readonly Share[], overHttp: boolean): Promise<OpenedNetwork> => {
  const catalogues = await Promise.all(split.map(catalogueOf));
  const { teardown, close } = openCase();
  const nodes = await Promise.all(
    split.map(async ({ style }, index) => {
      const catalogue = catalogues[index]!;
      const base = { nodeId: `n${index}`, ...mappingOf(style) };
      if (!overHttp || index % 2 === 1) return { ...base, catalogue };
      return { ...base, documentType: 'item', remote: await serveSchema(buildCatalogueSchema(catalogue)) };
    }),
  );
  const network = await testNetwork({ teardown }, nodes, { network: { fields: { planted: 'date' } } });
  return {
    runQuery: async (query, variables) => {
      const answer = await askNetwork(network, query, variables);
      // an answer without a node differs: the reason is worth more than the difference
      const failed = network
        .state()
        .nodes.flatMap(({ nodeId, lastError }) =>
          lastError === null ? [] : [`${nodeId}: ${JSON.stringify(lastError)}`],
        );
      if (failed.length > 0) throw new Error(`nodes failed: ${failed.join('; ')}`);
      return answer;
    },
    close,
  };
};

/** The kinds of nodes: `dialled` ones are reached through a tunnel. */
export const nodeKinds = ['local', 'remote', 'established', 'dialled', 'network'] as const;
export type NodeKind = (typeof nodeKinds)[number];

interface KindOfNode {
  readonly share: Share;
  readonly kind: NodeKind;
}

/** Shares as nodes of these kinds of one network, which is served as the document type `item`, too. */
export const openKinds = async (shares: readonly KindOfNode[]): Promise<Network> => {
  const { teardown, close } = openCase();
  const tunnels = new Map<string, string>();
  const nodes = await Promise.all(
    shares.map(async ({ share, kind }, index) => {
      const nodeId = `n${index}`;
      const base = { nodeId, ...mappingOf(share.style) };
      const remote = { ...base, documentType: 'item', maxDepth: 20 };
      if (kind === 'network') {
        const inner = await openKinds([{ share, kind: 'local' }]);
        teardown(inner.close);
        const served = await serveSchema(inner.ownSchema());
        return { nodeId, documentType: 'item', maxDepth: 20, remote: served };
      }
      if (kind === 'established') {
        const documents = Object.fromEntries(share.items.map((one) => [one.id, storedItem(share, one)]));
        const properties = propertiesOf(share.style) as Properties;
        const served = await serveEstablishedServer({
          ...{ documentType: 'item', properties, documents, maxDepth: 20 },
        });
        return { ...remote, remote: served };
      }
      const catalogue = await catalogueOf(share);
      if (kind === 'local') return { ...base, catalogue };
      const served = await serveSchema(buildCatalogueSchema(catalogue));
      if (kind === 'remote') return { ...remote, remote: served };
      teardown(served.close);
      tunnels.set(nodeId, new URL(served.url).origin);
      return { ...remote, dialsIn: true, key: 'k'.repeat(43) };
    }),
  );
  const agent = new Agent();
  teardown(() => agent.destroy());
  const network = await testNetwork({ teardown }, nodes, {
    network: {
      documentType: 'item',
      fields: { planted: 'date' },
      extended: ['tags', 'size'].map((fieldName) => ({ fieldName, isArray: true })),
    },
    tunnelTo: (nodeId) => ({
      dispatcher: {
        dispatch: (options, handler) => agent.dispatch({ ...options, origin: tunnels.get(nodeId)! }, handler),
      },
      isConnected: () => true,
      absence: () => '',
      onChange: () => () => undefined,
    }),
  });
  return { ...network, close };
};

/** A share, or a network of some. */
export type Tree = Share | Region | readonly Tree[];

/** A network with the names and values of its nodes, which are all alike: the network above translates them. */
export interface Region {
  readonly style: NodeStyle;
  readonly shares: readonly Share[];
}

/** The shares of a tree. */
export const leavesOf = (tree: readonly Tree[]): readonly Share[] =>
  tree.flatMap((one) => ('items' in one ? one : 'shares' in one ? one.shares : leavesOf(one)));

/** A network whose nodes are shares, and networks over HTTP. */
export const openTree = async (tree: readonly Tree[]): Promise<OpenedNetwork> => {
  const { network, close } = await openLevel(tree);
  return { runQuery: (query, variables) => askNetwork(network, query, variables), close };
};

const openLevel = async (
  tree: readonly Tree[],
  isTranslated = true,
): Promise<{ readonly network: Network; readonly close: () => Promise<void> }> => {
  const { teardown, close } = openCase();
  const nodes = await Promise.all(
    tree.map(async (one, index) => {
      const nodeId = `n${index}`;
      if ('items' in one) {
        const catalogue = await catalogueOf(one);
        return { nodeId, ...(isTranslated && mappingOf(one.style)), catalogue };
      }
      const isRegion = 'shares' in one;
      const level = await openLevel(isRegion ? one.shares : one, !isRegion);
      const served = await serveSchema(level.network.ownSchema());
      teardown(level.close);
      return {
        ...{ nodeId, documentType: 'item', remote: served, maxDepth: 20 },
        ...(isRegion && mappingOf(one.style)),
      };
    }),
  );
  const network = await testNetwork({ teardown }, nodes, {
    network: { documentType: 'item', fields: { planted: 'date' } },
  });
  return { network, close };
};
