import { dirname, resolve } from 'node:path';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { NetworkConfig, NodeConfig } from '../../federation/config/nodes.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import { openHierarchy } from '../../introspection/hierarchies/open-hierarchies.ts';
import { tableRows, type Row } from '../../introspection/hierarchies/read-table.ts';
import { textIn } from '../../introspection/hierarchies/read-hierarchy.ts';
import type {
  CatalogueConfig,
  ExtendedEntry,
  HierarchyFiles,
} from '../../introspection/fields/catalogue-config.ts';
import { serverNetworkId } from '../http/callers/served.ts';
import type { Networks } from './networks.ts';
import { problemsOf } from '../../lib/text/problem.ts';
import { closest } from '../../lib/text/unknown-keys.ts';

/**
 * Networks and catalogues with the contents of the files that they name.
 * @throws TributaryError CONFIG_INVALID for a file that nodes.json names
 */
export const withFiles = async (networks: Networks): Promise<Networks> => ({
  ...networks,
  catalogues: await withHierarchies(networks.catalogues),
  // only nodes.json names files
  networks: await withServerFiles(networks.networks),
});

const withServerFiles = async (networks: Networks['networks']): Promise<Networks['networks']> => {
  const server = networks.get(serverNetworkId);
  return server === undefined
    ? networks
    : new Map([...networks, [serverNetworkId, await withNamedFiles(server)] as const]);
};

/** Catalogues with the hierarchies of their fields; an unreadable file makes its catalogue fail. */
export const withHierarchies = (
  catalogues: readonly CatalogueConfig[],
): Promise<readonly CatalogueConfig[]> =>
  Promise.all(
    catalogues.map(async (config) => {
      const { hierarchies = {}, extended, places } = config;
      try {
        const fieldHierarchies = await hierarchiesOf(
          extended,
          hierarchies,
          places?.extended ?? 'extended.json',
        );
        return fieldHierarchies.size === 0 ? config : { ...config, fieldHierarchies };
      } catch (error) {
        return { ...config, problems: [...config.problems, ...problemsOf(error)] };
      }
    }),
  );

/** A network with the contents of the files that it names. @throws TributaryError CONFIG_INVALID */
const withNamedFiles = async (network: NetworkConfig): Promise<NetworkConfig> => {
  const { hierarchyFiles = new Map(), sections, where } = network;
  const folder = dirname(resolve(where));
  const files = Object.fromEntries(
    [...hierarchyFiles].map(([name, { file, relations }]) => [
      name,
      { path: resolve(folder, file), file, relations },
    ]),
  );
  const hierarchies = await hierarchiesOf(sections?.extended ?? [], files, `${where}: network.extended`);
  const nodes = await Promise.all(network.nodes.map((node) => withValueFiles(node, folder)));
  return { ...network, nodes, ...(hierarchies.size > 0 && { hierarchies }) };
};

const withValueFiles = async (node: NodeConfig, folder: string): Promise<NodeConfig> => {
  if (node.valueFiles === undefined) return node;
  const values = new Map(node.values);
  for (const [path, file] of node.valueFiles)
    values.set(path, readValueFile(await textIn(resolve(folder, file), file), file));
  return { ...node, values };
};

/** Reads every file, so that an invalid one is found before it is used. @returns hierarchies by field path */
const hierarchiesOf = async (
  extended: readonly ExtendedEntry[],
  files: HierarchyFiles,
  where: string,
): Promise<ReadonlyMap<string, Hierarchy>> => {
  const byName = new Map<string, Hierarchy>();
  for (const [name, { path, file, relations }] of Object.entries(files))
    byName.set(name, await openHierarchy({ name, path, file, relations }));
  return new Map(
    extended.flatMap(({ fieldName, hierarchy }) => {
      if (hierarchy === undefined || hierarchy === '') return [];
      const found = byName.get(hierarchy);
      if (found === undefined)
        throw unknownHierarchy(`${where}: ${fieldName}`, hierarchy, [...byName.keys()]);
      return [[fieldName, found] as const];
    }),
  );
};

const unknownHierarchy = (where: string, name: string, known: readonly string[]): TributaryError => {
  const near = closest(name, known);
  const hint = near?.isSlip
    ? `did you mean ${JSON.stringify(near.name)}?`
    : `known are ${known.join(', ') || 'none'}`;
  return new TributaryError(
    'CONFIG_INVALID',
    `${where}: there is no hierarchy ${JSON.stringify(name)}: ${hint}`,
  );
};

/**
 * A file of mappings: SSSOM, whose subjects are the node's values, or two columns, the node's value and the network's.
 * @param bytes UTF-8, modified in place
 * @returns the node's value -> the network's, which is equal or broader: it applies to all of the node's records
 * @throws TributaryError CONFIG_INVALID with file and line: no columns to read, a value that is translated twice, a
 *   narrower value of the network
 */
export const readValueFile = (bytes: Buffer, file: string): ReadonlyMap<string, string> => {
  const exact = new Translations(file);
  const broader = new Translations(file);
  let columns: Columns | null = null;
  for (const row of tableRows(bytes, file)) {
    if (columns === null) {
      const found = columnsOf(row, file);
      columns = found;
      if (!found.isData) continue;
    }
    const [own, shown] = [row.text(columns.subject), row.text(columns.object)];
    const isNegated = row.text(columns.modifier) !== '';
    if (own === '' || shown === '' || isNegated) continue;
    const predicate =
      columns.predicate < 0 ? 'exactMatch' : row.text(columns.predicate).replace(/^.*[:#/]/, '');
    if (predicate === 'exactMatch') exact.add(own, shown, row.line);
    if (predicate === 'broadMatch') broader.add(own, shown, row.line);
    if (predicate === 'narrowMatch')
      throw new TributaryError(
        'CONFIG_INVALID',
        `${file} line ${row.line}: ${JSON.stringify(own)} skos:narrowMatch ${JSON.stringify(shown)}: not every record with ${JSON.stringify(own)} is of a narrower value; use skos:exactMatch or skos:broadMatch, or leave the line out`,
      );
  }
  if (columns === null) throw new TributaryError('CONFIG_INVALID', `${file} has no mappings`);
  return new Map([...broader.values, ...exact.values]);
};

class Translations {
  readonly values = new Map<string, string>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(own: string, shown: string, line: number): void {
    const before = this.values.get(own);
    if (before !== undefined && before !== shown)
      throw new TributaryError(
        'CONFIG_INVALID',
        `${this.#file} line ${line}: ${JSON.stringify(own)} is translated to ${JSON.stringify(shown)} and to ${JSON.stringify(before)}: keep one`,
      );
    this.values.set(own, shown);
  }
}

/** Positions of columns; -1 for a missing one. */
interface Columns {
  readonly subject: number;
  readonly object: number;
  readonly predicate: number;
  readonly modifier: number;
  /** Whether the first row contains data. */
  readonly isData: boolean;
}

const columnsOf = (row: Row, file: string): Columns => {
  const names = row.texts().map((cell) => cell.toLowerCase());
  const [subject, object, predicate, modifier] = [
    'subject_id',
    'object_id',
    'predicate_id',
    'predicate_modifier',
  ].map((name) => names.indexOf(name));
  if (subject! >= 0 && object! >= 0)
    return { subject: subject!, object: object!, predicate: predicate!, modifier: modifier!, isData: false };
  if (names.length === 2) {
    const isData = !(names[0] === 'node' && names[1] === 'network');
    return { subject: 0, object: 1, predicate: -1, modifier: -1, isData };
  }
  throw new TributaryError(
    'CONFIG_INVALID',
    `${file} line ${row.line}: the columns subject_id, predicate_id and object_id of SSSOM expected, or two columns: the node's value and the network's`,
  );
};
