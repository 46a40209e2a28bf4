import type { FieldReport } from '../../federation/nodes/field-report.ts';
import type { NetworkState } from '../../federation/network.ts';
import type { NodeReport } from '../../federation/nodes/node-handle.ts';

/**
 * The body of GET /network, for portals and operators on call: each node, what is wrong with it and since when, and
 * which of the network's fields it has. No addresses, headers or credentials, and only reasons worded by us.
 * @param closed nodes whose fields are hidden from this caller: fields that only they have are omitted, and so are the
 *   warnings about fields
 */
export const networkBody = (
  { displayName, ready, configuration, nodes, fields, warnings }: NetworkState,
  closed: ReadonlySet<string> = new Set(),
) => ({
  name: displayName,
  ready,
  // some node cannot answer now, so results are partial
  partial: ready && nodes.some(({ state }) => state !== 'ok' && state !== 'failing'),
  configuration,
  nodes: nodes.map(nodeBody),
  fields: closed.size === 0 ? fields : fields.flatMap((field) => openPart(field, closed)),
  warnings: closed.size === 0 ? warnings : [],
});

const openPart = (field: FieldReport, closed: ReadonlySet<string>): readonly FieldReport[] => {
  const nodes = field.nodes.filter(({ nodeId }) => !closed.has(nodeId));
  const isThere = nodes.some(({ state }) => state === 'covered' || state === 'conflict');
  return isThere ? [{ ...field, nodes }] : [];
};

export type NetworkBody = ReturnType<typeof networkBody>;
export type NodeBody = NetworkBody['nodes'][number];

const nodeBody = (node: NodeReport) => ({
  nodeId: node.nodeId,
  name: node.displayName,
  kind: node.kind,
  state: node.state,
  since: node.since,
  lastError:
    node.lastError === null
      ? null
      : { code: node.lastErrorCode, reason: node.lastError, at: node.lastErrorAt },
  lastAnswer: node.lastAnswerAt,
  requests: node.requests,
  failures: node.failures,
  latencyMs: node.latencyMs,
  circuit: node.circuit,
  discovery: node.discovery,
  withheld: node.disclosure !== null,
  disclosure: node.disclosure,
  warnings: node.warnings,
  ...(node.within && {
    within: node.within.map(({ nodeId, name, state, errors }) => ({
      nodeId: `${node.nodeId}/${nodeId}`,
      name,
      state,
      reason: errors === '' ? null : errors,
    })),
  }),
});
