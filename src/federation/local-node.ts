import type { FieldKind } from '../introspection/field.ts';
import type { CatalogueState } from '../local/catalogue.ts';
import { buildCatalogueSchema } from '../local/schema.ts';
import type { NodeReport, NodeSource } from './node-source.ts';
import type { NodeSchema, NodeView } from './node-view.ts';
import type { LocalSource, NodeConfig } from './nodes.ts';
import { renamingOf } from './renaming.ts';

/** A catalogue of this process as a node: asked without HTTP, and there again as soon as it recovers. */
export const localNode = (
  config: NodeConfig,
  { catalogueId }: LocalSource,
  local: (catalogueId: string) => CatalogueState | undefined,
): NodeSource => {
  const renaming = renamingOf(config);
  const view = (): NodeView => ({ config, renaming, status: statusOf(local(catalogueId), catalogueId) });
  let last: { state: NodeReport['state']; since: string } | null = null;
  return {
    ready: Promise.resolve(),
    view,
    report: () => {
      const { status } = view();
      const state = status.kind === 'up' ? 'ok' : 'unavailable';
      if (last?.state !== state) last = { state, since: new Date().toISOString() };
      return {
        nodeId: config.nodeId,
        displayName: config.displayName,
        kind: 'local',
        ...last,
        lastError: status.kind === 'up' ? null : status.reason,
        warnings: [],
      };
    },
    close: () => undefined,
  };
};

const noFacets: ReadonlySet<FieldKind> = new Set(['text', 'nested', 'json']);

const statusOf = (state: CatalogueState | undefined, catalogueId: string): NodeView['status'] => {
  if (!state)
    return { kind: 'down', code: 'NOT_FOUND', reason: `this server has no catalogue "${catalogueId}"` };
  if (state.status === 'failed') return { kind: 'down', code: state.error.code, reason: state.error.message };
  const { catalogue } = state;
  const { fields, search } = catalogue;
  const aggregates = (path: string): boolean => !noFacets.has(fields.get(path)?.kind ?? 'json');
  const schema: NodeSchema = { schema: () => buildCatalogueSchema(catalogue), execute: null };
  return { kind: 'up', fields, aggregates, search, schema };
};
