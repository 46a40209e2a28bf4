import type { Readable } from 'node:stream';
import { TributaryError } from '../../errors/errors.ts';
import type { SpoolStorage } from '../../local/download/spool.ts';
import { archive } from '../../local/download/spool.ts';
import type { DownloadRequest } from '../../local/download/download-request.ts';
import type { Download, DownloadOutcome } from '../../local/download/open-download.ts';
import {
  distinctFileNames,
  fileName,
  isAnyTruncated,
  naming,
  rejectFilters,
  begunText,
  nothing,
} from '../../local/download/open-download.ts';
import { isTruncated, mostRecords, type FileSource } from '../../local/download/file-plan.ts';
import type { PortalConfigs } from '../../introspection/fields/catalogue-config.ts';
import { tableConfig } from '../../introspection/fields/field-config.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { parseDownload } from '../../local/download/parse-download.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { QueriedNode, RequestContext } from '../../search/request-context.ts';
import { auditing } from '../../search/audited-search.ts';
import { checkFilters, checkNames, networkQuestion, queriedNodes } from '../catalogue/query-network.ts';
import { assertAffordable, assertTakenNow } from '../merge/status.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import { passedOn } from '../remote/network-node.ts';
import type { NodeView } from '../nodes/node-view.ts';
import { assertSortable } from '../query/plan-requests.ts';
import type { FileContext, NetworkFile } from './download-file.ts';
import { openNetworkFile } from './download-file.ts';
import type { Manifest, ManifestHead, PlannedManifest } from './manifest.ts';
import { manifestOf, plannedManifest } from './manifest.ts';
import { networkKeys, parseNetworkParams, type NetworkParams } from './network-params.ts';

/** The state of a network when a download begins. */
export interface DownloadedNetwork {
  /** Also the file name of a file without a name. */
  readonly displayName: string;
  readonly nodes: readonly NodeView[];
  readonly network: NetworkFields;
  readonly config: FileSource['config'] & Pick<PortalConfigs, 'table'>;
  /** A catalogue of this process. */
  readonly catalogue: (catalogueId: string) => CatalogueState | undefined;
  /** The offset limit of a node without cursors. */
  readonly maxResultsWindow: number;
  readonly strictFilters: boolean;
  /** The key that this server sends in its queries to nodes; unset: none is sent. */
  readonly key?: string | undefined;
}

export interface NetworkDownloadOptions {
  /** How many rows of each node are held in memory at a time. */
  readonly pageRows: number;
  /** Whether only the headers are requested: the content is then empty. */
  readonly headersOnly?: boolean;
  readonly spools: SpoolStorage;
  readonly disableFilters: boolean;
}

const manifestName = 'manifest.json';

/**
 * Opens a download from all nodes of a network: takes the parameters of a catalogue download and those of
 * network-params.ts. Nodes that fail midway are retried; the manifest lists whatever is still missing at the end.
 * @throws TributaryError BAD_USER_INPUT for malformed params, columns, filters or sorts; NOT_DISCLOSED when every node
 *   withholds its records; ENGINE_UNAVAILABLE when no node answered; NETWORK_LOOP for a request that came through this
 *   network before; the error of a failed node that the download requires
 */
export const openNetworkDownload = async (
  sent: unknown,
  network: DownloadedNetwork,
  outer: RequestContext,
  options: NetworkDownloadOptions,
): Promise<Download> => {
  const opened = await openFiles(sent, network, outer, { ...options, kind: 'download' });
  return content(opened, options, outer.signal);
};

/**
 * What is known of a download before its files are made, from the same parameters.
 * @throws TributaryError as openNetworkDownload
 */
export const planNetworkDownload = async (
  sent: unknown,
  network: DownloadedNetwork,
  outer: RequestContext,
  options: Pick<NetworkDownloadOptions, 'disableFilters'>,
): Promise<PlannedManifest> => {
  const opened = await openFiles(sent, network, outer, { ...options, pageRows: 1, kind: 'count' });
  const { head, files } = opened;
  const names = namesOf(opened, isArchive(opened));
  return plannedManifest(
    head,
    files.map((file, at) => ({
      ...file,
      name: names[at]!,
      contentType: file.plan.format.contentType,
      limit: file.plan.limit,
      levels: file.plan.levels,
      isTruncated: isTruncated(file.plan, totalOf(file)),
    })),
  );
};

interface OpenOptions extends Pick<NetworkDownloadOptions, 'pageRows' | 'disableFilters'> {
  /** What the audit trail records: whether records leave, or are only counted. */
  readonly kind: 'download' | 'count';
}

const openFiles = async (
  sent: unknown,
  network: DownloadedNetwork,
  outer: RequestContext,
  options: OpenOptions,
): Promise<Opened> => {
  const requestContext = network.key === undefined ? outer : passedOn(outer, network.key, 0);
  const request = parseDownload(withColumns(sent, network), networkKeys);
  const params = parseNetworkParams(sent);
  if (options.disableFilters) rejectFilters(request);
  const warnings = new Set<string>();
  const startedAt = new Date().toISOString();
  const context = contextOf(network, params, { requestContext, options });
  const files: NetworkFile[] = [];
  for (const [position, file] of request.files.entries())
    files.push(
      await naming(position, async () => {
        const question = { filters: file.sqon, facets: [], hits: null };
        let nodes: readonly QueriedNode[] = [];
        const opened = await auditing(
          requestContext.observer.onQuestion,
          async () => {
            check(file, network, warnings);
            const found = await openNetworkFile(file, context);
            nodes = queriedNodes(found.parts.map(({ counted }) => counted));
            assertAnswered(found);
            return found;
          },
          () => ({ ...networkQuestion(question, network), kind: options.kind, nodes }),
          ({ parts, plan }) => ({
            ...(options.kind === 'download' && {
              fields: plan.query.hits.fields ?? ['*'],
              rows: mostRecords(plan, totalOf({ parts })),
            }),
          }),
        );
        for (const name of opened.unknown)
          warnings.add(`column "${name}" is not a field of this network: the file does not have it`);
        return opened;
      }),
    );
  for (const warning of checkNames(params.only, network.nodes)) warnings.add(warning);
  const head: ManifestHead = {
    network: network.displayName,
    nodesFilter: [...(params.only ?? [])],
    startedAt,
    warnings: [...warnings],
  };
  return { head, files, request, params };
};

/** A file that lists no columns gets each record's node and the columns that portals show. */
const withColumns = (sent: unknown, { network, config }: DownloadedNetwork): unknown => {
  if (!isJsonObject(sent) || !Array.isArray(sent['files'])) return sent;
  const shown = tableConfig(network.fields, config).columns.filter(({ show }) => show);
  const columns = ['_node', ...shown.map(({ fieldName }) => fieldName)].map((fieldName) => ({ fieldName }));
  const listsNone = ({ columns: listed }: JsonObject): boolean =>
    listed === undefined || listed === null || (Array.isArray(listed) && listed.length === 0);
  const files = (sent['files'] as readonly unknown[]).map((file) =>
    isJsonObject(file) && listsNone(file) ? { ...file, columns } : file,
  );
  return { ...sent, files };
};

const contextOf = (
  { nodes, network, config, catalogue, maxResultsWindow }: DownloadedNetwork,
  { only, aborts }: NetworkParams,
  { requestContext, options }: { readonly requestContext: RequestContext; readonly options: OpenOptions },
): FileContext => ({
  nodes,
  network,
  source: { fields: network.fields, config },
  only,
  aborts,
  requestContext,
  kind: options.kind,
  // one page is consumed while the next is being fetched
  pageRows: Math.max(1, Math.ceil(options.pageRows / 2)),
  window: maxResultsWindow,
  limitOf: ({ config: { source } }) => {
    if (source.kind === 'remote') return { maxRows: null };
    const own = catalogue(source.catalogueId)?.config;
    if (own?.switches.disableDownloads === true) return null;
    return { maxRows: own?.downloads.maxRows ?? null };
  },
});

const check = (
  { sqon, sort }: DownloadRequest['files'][number],
  { network, strictFilters }: DownloadedNetwork,
  warnings: Set<string>,
): void => {
  for (const warning of checkFilters(sqon === null ? [] : [sqon], network, strictFilters))
    warnings.add(warning);
  assertSortable(sort, network);
};

const unknownColumns = (names: readonly string[]): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `columns: ${names.map((name) => JSON.stringify(name)).join(', ')}: no field of this network has such a name`,
  );

/** @throws TributaryError when there is no data to make a file from */
const assertAnswered = ({ parts, unknown, isUnknown }: NetworkFile): void => {
  const answers = parts.map(({ counted }) => counted);
  assertAffordable(answers);
  assertTakenNow(answers);
  const queried = answers.filter(({ state }) => state !== 'excluded');
  if (queried.length === 0 || queried.some(({ state }) => state === 'ok')) {
    if (isUnknown) throw unknownColumns(unknown);
    return;
  }
  const nodes = queried.map(({ plan, state, reason }) => ({
    nodeId: plan.node.config.nodeId,
    state,
    reason,
  }));
  if (queried.every(({ code }) => code === 'NOT_DISCLOSED'))
    throw new TributaryError(
      'NOT_DISCLOSED',
      'every queried node withholds its records: counts only are disclosed, as intervals',
      { details: { nodes } },
    );
  throw new TributaryError('ENGINE_UNAVAILABLE', 'no node of the network answered', { details: { nodes } });
};

interface Opened {
  readonly head: ManifestHead;
  readonly files: readonly NetworkFile[];
  readonly request: DownloadRequest;
  readonly params: NetworkParams;
}

const isArchive = ({ files, params }: Opened): boolean => files.length > 1 || params.manifest;

const content = async (
  opened: Opened,
  { headersOnly = false, spools }: NetworkDownloadOptions,
  signal: AbortSignal | undefined,
): Promise<Download> => {
  const { head, files, request } = opened;
  const names = namesOf(opened, isArchive(opened));
  const manifest = (): Manifest =>
    manifestOf(
      head,
      files.map(({ request: fileRequest, plan, unknown, parts, written }, at) => ({
        request: fileRequest,
        parts,
        unknown,
        limit: plan.limit,
        written: { name: names[at]!, ...written() },
      })),
    );
  const shared = {
    total: files.reduce((sum, file) => sum + totalOf(file), 0),
    isTruncated: isAnyTruncated(files.map((file) => ({ plan: file.plan, total: totalOf(file) }))),
    outcome: () => outcomeOf(manifest(), files),
  };
  if (!isArchive(opened))
    return {
      ...shared,
      fileName: names[0]!,
      contentType: files[0]!.plan.format.contentType,
      content: headersOnly ? nothing() : await begunText(files[0]!.text),
    };
  const archiveName = fileName(request.fileName, unnamed(head));
  return {
    ...shared,
    fileName: /\.(tar\.gz|tgz)$/i.test(archiveName) ? archiveName : `${archiveName}.tar.gz`,
    contentType: 'application/gzip',
    content: headersOnly ? nothing() : await severalFiles(files, names, manifest, { spools, signal }),
  };
};

/** A row limit was announced. */
const outcomeOf = (
  { nodes, complete, files }: Manifest,
  planned: readonly NetworkFile[],
): DownloadOutcome => ({
  records: nodes.reduce((sum, { records }) => sum + records, 0),
  isComplete: complete,
  shortcomings: planned.flatMap(({ plan }, position) => {
    const parts = files[position]!.nodes;
    const isCut = plan.limit !== null && plan.limit <= parts.reduce((sum, { rows }) => sum + rows, 0);
    return parts.flatMap(({ nodeId, stopped }) =>
      isCut || stopped === null ? [] : [`files[${position}]: node "${nodeId}" ${stopped}`],
    );
  }),
});

const totalOf = ({ parts }: Pick<NetworkFile, 'parts'>): number =>
  parts.reduce((sum, { matches }) => sum + (matches ?? 0), 0);

/** Files without a name are named after the network. */
const unnamed = ({ network }: ManifestHead): string => fileName(network, 'network');

const namesOf = ({ head, files, request }: Opened, isInArchive: boolean): readonly string[] => {
  const wanted = files.map(({ request: file }) =>
    fileName(file.fileName ?? (isInArchive ? null : request.fileName), `${unnamed(head)}.${file.fileType}`),
  );
  if (!isInArchive) return wanted;
  const [, ...names] = distinctFileNames([manifestName, ...wanted]);
  return names;
};

/** The manifest comes last: it records what the files before it hold. */
const severalFiles = (
  files: readonly NetworkFile[],
  names: readonly string[],
  manifest: () => Manifest,
  { spools, signal }: Pick<NetworkDownloadOptions, 'spools'> & { readonly signal: AbortSignal | undefined },
): Promise<Readable> => {
  const last = async function* (): AsyncGenerator<string> {
    yield `${JSON.stringify(manifest(), null, 2)}\n`;
  };
  const named = files.map(({ text }, at) => ({ name: names[at]!, text }));
  return archive([...named, { name: manifestName, text: last() }], spools, signal);
};
