import { errorCodes, TributaryError } from '../../lib/errors/errors.ts';
import type { FieldKind, Fields } from '../../introspection/fields/field.ts';
import { catalogueKey, type Catalogue, type CatalogueState } from '../../search/catalogue.ts';
import {
  LazyHit,
  rankOf,
  type CatalogueHit,
  type CatalogueQuery,
  type SearchFn,
} from '../../search/query.ts';
import type { Institution } from '../../search/nodes-answer.ts';
import { buildCatalogueSchema } from '../../local/schema/schema.ts';
import { ownId } from '../../local/hits/shape.ts';
import { untilAborted } from '../../search/request-context.ts';
import { NodeMonitor } from './node-monitor.ts';
import type { NodeObserver, NodeDown, NodeHandle, NodeSchema, NodeUp, NodeView } from './node-view.ts';
import { fieldMappingOf } from './node-view.ts';
import type { LocalSource, NodeConfig } from '../config/nodes.ts';
import { byDocumentId, withDocumentId } from '../remote/remote-catalogue.ts';

/** How often a catalogue is checked when there are no queries, so that the log reports changes soon. */
const pollIntervalMs = 5_000;

/** A catalogue of this process as a node: queried without HTTP, and available again as soon as it recovers. */
export const localNode = (
  config: NodeConfig,
  { catalogueId }: LocalSource,
  local: (catalogueId: string) => CatalogueState | undefined,
  observer: NodeObserver,
  serverKey: string,
  monitor = new NodeMonitor({ nodeId: config.nodeId, kind: 'local', observer, isOpen: null, first: 'ok' }),
): NodeHandle => {
  const { displayName } = config;
  const fieldMapping = fieldMappingOf(config);
  const failedNow = (): FailedState | undefined => {
    const state = local(catalogueId);
    return state?.status === 'failed' ? state : undefined;
  };
  const watched =
    (search: SearchFn): SearchFn =>
    (query, context) =>
      monitor.run(async () => {
        const failed = failedNow();
        if (failed) throw new TributaryError('ENGINE_UNAVAILABLE', downStatus(failed, catalogueId).reason);
        return untilAborted(search(query, context), context.signal);
      }, context.signal);
  // nodes of one catalogue are compared by their fields, so they stay the same object as long as the catalogue does
  let up: { readonly catalogue: Catalogue; readonly status: NodeUp } | null = null;
  const statusNow = (): NodeUp | NodeDown => {
    const state = local(catalogueId);
    // while its engine is away, its fields stay in the network
    const catalogue = state?.status === 'failed' ? state.last : state?.catalogue;
    if (catalogue === undefined) return downStatus(failedNow(), catalogueId);
    if (up?.catalogue !== catalogue) {
      const itself = { key: catalogueKey(serverKey, catalogueId), name: displayName };
      up = { catalogue, status: upStatus(catalogue, watched, itself) };
    }
    return up.status;
  };
  const view = (): NodeView => {
    const status = statusNow();
    const failed = failedNow();
    if (failed !== undefined) monitor.transitionTo('unavailable', downStatus(failed, catalogueId));
    else if (status.kind === 'down') monitor.transitionTo('unavailable', status);
    else if (monitor.state === 'unavailable') monitor.transitionTo('ok', null);
    return { config, fieldMapping, status };
  };
  const polling = setInterval(view, pollIntervalMs).unref();
  return {
    ready: Promise.resolve(),
    view,
    report: () => {
      const { status } = view();
      const disclosure = (status.kind === 'up' ? status.withheld : null) ?? null;
      return { ...monitor.report(), displayName, disclosure, discovery: null, warnings: [] };
    },
    over: (other) => localNode(config, { kind: 'local', catalogueId }, other, observer, serverKey, monitor),
    close: () => {
      clearInterval(polling);
      monitor.close();
    },
  };
};

const noFacets: ReadonlySet<FieldKind> = new Set(['text', 'nested', 'json', 'range']);

const upStatus = (
  catalogue: Catalogue,
  watched: (search: SearchFn) => SearchFn,
  itself: Institution,
): NodeUp => {
  const { fields } = catalogue;
  return {
    kind: 'up',
    fields: withKeyAsId(fields),
    extended: catalogue.config.extended,
    aggregates: (path) => !noFacets.has(fields.get(path)?.kind ?? 'json'),
    search: watched(withOwnIds(catalogue)),
    window: catalogue.config.table.maxResultsWindow,
    isWhole: true,
    institutions: [itself],
    ...(catalogue.disclosure !== undefined && { withheld: catalogue.disclosure(null) }),
    schema: schemaOf(catalogue, watched),
  };
};

type FailedState = Extract<CatalogueState, { readonly status: 'failed' }>;

const downStatus = (state: FailedState | undefined, catalogueId: string): NodeDown => {
  if (!state)
    return { kind: 'down', code: 'NOT_FOUND', reason: `this server has no catalogue "${catalogueId}"` };
  const { code, message } = state.error;
  return { kind: 'down', code, reason: errorCodes[code].safe ? message : 'internal error' };
};

const withKeyAsId = (fields: Fields): Fields => (fields.has('id') ? fields : withDocumentId(fields, '_id'));

/** The search of a catalogue whose hits are identified by their own id, as in its own schema. */
const withOwnIds = ({ search, fields }: Catalogue): SearchFn => {
  const identifiedFields = withKeyAsId(fields);
  return async (query, context) => {
    const answer = await search(withId(byDocumentId(query, identifiedFields)), context);
    return { ...answer, hits: answer.hits.map(identified) };
  };
};

const identified = (hit: CatalogueHit): CatalogueHit =>
  new LazyHit(
    { id: ownId(hit.source) ?? hit.id, source: hit.source },
    () => hit.cursor,
    () => rankOf(hit),
  );

const withId = (query: CatalogueQuery): CatalogueQuery => {
  const { hits } = query;
  if (!hits?.fields || hits.first === 0 || hits.fields.includes('id')) return query;
  return { ...query, hits: { ...hits, fields: ['id', ...hits.fields] } };
};

/** The supergraph's calls are monitored like any other. */
const schemaOf = (catalogue: Catalogue, watched: (search: SearchFn) => SearchFn): NodeSchema => ({
  schema: () => buildCatalogueSchema({ ...catalogue, search: watched(catalogue.search) }),
  execute: null,
});
