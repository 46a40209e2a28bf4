import { TributaryError } from '../../lib/errors/errors.ts';
import type { PortalConfigs } from '../../introspection/fields/catalogue-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { tableConfig } from '../../introspection/fields/field-config.ts';
import type { DownloadRequest, FileRequest } from '../../local/download/parse-download.ts';
import { mostRecords, type FileSource } from '../../local/download/file-plan.ts';
import { fileName, type DownloadSource } from '../../local/download/open-download.ts';
import { auditing } from '../../search/audited-search.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { QueriedNode, RequestContext } from '../../search/request-context.ts';
import { catalogueFields } from '../catalogue/network-catalogue.ts';
import type { NetworkSearchSettings } from '../catalogue/network-search.ts';
import {
  assertAnswered,
  checkFilters,
  checkNames,
  queriedNodes,
  type NetworkSnapshot,
} from '../catalogue/query-network.ts';
import { assertAffordable, assertTakenNow, nodeStatuses } from '../merge/status.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import { assertSortable } from '../query/plan.ts';
import { passedOn } from '../remote/network-node.ts';
import { openNetworkFile, type FileContext, type NetworkFile } from './download-file.ts';

/** The state of a network when a download begins; its name is also that of a file without a name. */
export interface DownloadedNetwork extends NetworkSnapshot, NetworkSearchSettings {
  readonly config: FileSource['config'] & Pick<PortalConfigs, 'table'>;
  /** A catalogue of this process. */
  readonly catalogue: (catalogueId: string) => CatalogueState | undefined;
}

/**
 * The records of all nodes of a network as files. Nodes that fail midway are retried; the manifest lists whatever is
 * still missing at the end. Opening a file throws TributaryErrors: NOT_DISCLOSED when every node withholds its records;
 * ENGINE_UNAVAILABLE when no node answered; NETWORK_LOOP for a request that came through this network before; the error
 * of a failed node that the download requires.
 * @param pageRows how many rows of each node are held in memory at a time
 */
export const networkFiles = (
  network: DownloadedNetwork,
  outer: RequestContext,
  pageRows: number,
): DownloadSource => {
  const requestContext = passedOn(outer, network.key, 0);
  const columns = tableConfig(network.network.fields, network.config).columns.filter(({ show }) => show);
  return {
    name: network.displayName,
    unnamed: fileName(network.displayName, 'network'),
    // each record's node, and the columns that portals show
    columns: ['_node', ...columns.map(({ fieldName }) => fieldName)],
    hasManifest: true,
    filtersDisabled: network.switches.disableFilters,
    openFile: async (file, request, kind, warn) => {
      const context = contextOf(network, request, { requestContext, kind, pageRows });
      const opened = await openAudited(file, network, context, warn);
      for (const name of opened.unknown)
        warn(`column "${name}" is not a field of this network: the file does not have it`);
      checkNames(request.only, network.nodes).forEach(warn);
      return opened;
    },
  };
};

const openAudited = (
  file: FileRequest,
  network: DownloadedNetwork,
  context: FileContext,
  warn: (notice: string) => void,
): Promise<NetworkFile> => {
  const { kind, requestContext } = context;
  let nodes: readonly QueriedNode[] = [];
  return auditing(
    requestContext.observer.onQuestion,
    async () => {
      check(file, network, warn);
      const opened = await openNetworkFile(file, context);
      nodes = queriedNodes(opened.nodeParts.map(({ counted }) => counted));
      assertFilled(opened);
      return opened;
    },
    () => ({
      ...{ catalogueId: null, network: network.displayName, nodes },
      ...{ filters: file.sqon, facetFilters: [], fields: [], kind },
    }),
    ({ total, plan }) => ({
      ...(kind === 'download' && { fields: plan.query.hits.fields ?? ['*'], rows: mostRecords(plan, total) }),
    }),
  );
};

const contextOf = (
  { nodes, network, config, catalogue, maxResultsWindow }: DownloadedNetwork,
  { only, aborts }: DownloadRequest,
  { pageRows, ...request }: Pick<FileContext, 'requestContext' | 'kind' | 'pageRows'>,
): FileContext => ({
  ...{ nodes, network, only, aborts, ...request },
  source: { fields: documentFields(network), config },
  // one page is consumed while the next is being fetched
  pageRows: Math.max(1, Math.ceil(pageRows / 2)),
  window: maxResultsWindow,
  limitOf: ({ config: { source } }) => {
    if (source.kind === 'remote') return { maxRows: null };
    const config = catalogue(source.catalogueId)?.config;
    if (config?.switches.disableDownloads === true) return null;
    return { maxRows: config?.downloads.maxRows ?? null };
  },
});

/** The fields as documents have them: a value of a nested object is a list only where one object has several. */
const documentFields = (network: NetworkFields): Fields => {
  const placed = catalogueFields(network);
  return new Map([...network.fields].map(([path, field]) => [path, placed.get(path) ?? field]));
};

const check = (
  { sqon, sort }: FileRequest,
  { network, strictFilters }: DownloadedNetwork,
  warn: (notice: string) => void,
): void => {
  checkFilters(sqon === null ? [] : [sqon], network, strictFilters).forEach(warn);
  assertSortable(sort, network);
};

const unknownColumns = (names: readonly string[]): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `columns: ${names.map((name) => JSON.stringify(name)).join(', ')}: no field of this network has such a name`,
  );

/** @throws TributaryError when there is no data to make a file from */
const assertFilled = ({ nodeParts, unknown, isUnknown }: NetworkFile): void => {
  const answers = nodeParts.map(({ counted }) => counted);
  assertAffordable(answers);
  assertTakenNow(answers);
  assertAnswered(nodeStatuses(answers));
  if (isUnknown) throw unknownColumns(unknown);
};
