import { briefFields, networkBody, partOfNetwork, summedNetwork } from './network-body.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { closedNodes, disclosedNodes, requireTarget, type TargetParts } from '../callers/require-access.ts';
import type { ServedNetwork } from '../callers/served.ts';
import type { AboutInstitution } from '../../../introspection/fields/about.ts';
import type { Network } from '../../../federation/network.ts';

/** GET /network, GET /{catalogue}/network. Requires the same access as queries: field names are data too. */
export const describeNetwork = async (
  context: HttpContext,
  target: ServedNetwork,
  parts: TargetParts,
): Promise<void> => {
  const { network } = target;
  context.set('cache-control', 'no-store');
  await requireTarget(context, target);
  const closed = await closedNodes(context, network, parts);
  const disclosed = await disclosedNodes(context, network, parts);
  const about = aboutInstitutions(network, parts);
  const body = networkBody(network.state(), new Set(closed.keys()), disclosed, parts.waiting, about);
  const nodeIds = [context.query['node'] ?? []].flat();
  const full = nodeIds.length > 0 ? partOfNetwork(body, nodeIds) : summedNetwork(body);
  context.body = context.query['fields'] === undefined ? full : briefFields(full, context.query['fields']);
};

/** By node: the description in nodes.json, else that of its catalogue if it is one of this server. */
const aboutInstitutions = (
  network: Network,
  { registry }: Pick<TargetParts, 'registry'>,
): ReadonlyMap<string, AboutInstitution> => {
  const configs = new Map(registry.states().map(({ config }) => [config.catalogueId, config]));
  return new Map(
    network.nodes().flatMap(({ config: { nodeId, source, about } }) => {
      const own = source.kind === 'local' ? configs.get(source.catalogueId) : undefined;
      const { description, contact, place } = { ...own?.about, description: own?.description, ...about };
      return description || contact || place ? [[nodeId, { description, contact, place }]] : [];
    }),
  );
};
