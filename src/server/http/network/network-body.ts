import type { FieldReport, FieldCoverage } from '../../../federation/nodes/network-fields.ts';
import type { NetworkState } from '../../../federation/network.ts';
import type { AboutInstitution } from '../../../introspection/fields/about.ts';
import type { NodeReport } from '../../../federation/nodes/node-view.ts';
import type { WaitingMember, NodeDisclosure } from '../callers/require-access.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { withoutFolders } from '../../../lib/text/escaped-text.ts';

/**
 * The body of GET /network, for portals and operators on call: each node, its problem and since when, and which of the
 * network's fields it has. No addresses, headers or credentials, and only reasons in our own words.
 * @param closed nodes whose fields are hidden from this caller: fields that only they have are omitted, and so are the
 *   warnings about fields
 * @param disclosed what this server's own catalogues disclose to this caller
 * @param waiting what a node that dials in proposes; null: it has not used its invitation
 * @param about the descriptions of institutions for display
 */
export const networkBody = (
  { displayName, ready, configuration, nodes, fields, warnings }: NetworkState,
  closed: ReadonlySet<string> = new Set(),
  disclosed: ReadonlyMap<string, NodeDisclosure> = new Map(),
  waiting: (nodeId: string) => WaitingMember | null = () => null,
  about: ReadonlyMap<string, AboutInstitution> = new Map(),
) => ({
  name: displayName,
  ready,
  // some node cannot answer now, so results are partial
  partial: ready && nodes.some(({ state }) => state !== 'ok' && state !== 'failing'),
  configuration,
  nodes: nodes.map((node) =>
    nodeBody(node, disclosed.get(node.nodeId), {
      about: about.get(node.nodeId),
      waits: node.state === 'invited' ? waiting(node.nodeId) : null,
    }),
  ),
  fields: closed.size === 0 ? fields : fields.flatMap((field) => openPart(field, closed)),
  warnings: closed.size === 0 ? warnings.map(withoutFolders) : [],
});

const openPart = (field: FieldReport, closed: ReadonlySet<string>): readonly FieldReport[] => {
  const nodes = field.nodes.filter(({ nodeId }) => !closed.has(nodeId));
  const isThere = nodes.some(({ state }) => state === 'covered' || state === 'conflict');
  return isThere ? [{ ...field, nodes }] : [];
};

export type NetworkBody = ReturnType<typeof networkBody>;

interface Shown {
  readonly about: AboutInstitution | undefined;
  readonly waits: WaitingMember | null;
}

const nodeBody = (node: NodeReport, disclosed: NodeDisclosure | undefined, { about, waits }: Shown) => ({
  nodeId: node.nodeId,
  name: node.displayName,
  kind: node.kind,
  state: node.state,
  since: node.since,
  ...(node.state === 'discoveryFailed' && { rediscoverMs: node.rediscoverMs ?? null }),
  lastError:
    node.lastError === null
      ? null
      : { code: node.lastErrorCode, reason: withoutFolders(node.lastError), at: node.lastErrorAt },
  lastAnswer: node.lastAnswerAt,
  requests: node.requests,
  failures: node.failures,
  latencyMs: node.latencyMs,
  circuit: node.circuit,
  discovery: node.discovery,
  ...(disclosed ?? { withheld: node.disclosure !== null, disclosure: node.disclosure }),
  warnings: node.warnings.map(withoutFolders),
  ...(node.isConnected !== undefined && { dialsIn: true as const }),
  ...(waits !== null && { waits }),
  ...(about && { about }),
  ...(node.institutions !== undefined && { institutions: node.institutions }),
});

/** Above this number, nodes are counted by field: a thousand nodes with a hundred fields would be 15 MB. */
const maxNodes = 100;
/** How many of the nodes with a conflicting field type are then named. */
const maxConflicts = 10;

/** Instead of a line per node, the number of nodes in each state, and the first nodes in conflict. */
interface SummedField extends FieldReport {
  readonly counts: Readonly<Record<FieldCoverage['state'], number>>;
}

/** The body for programs: complete for a small network, with a summary of the fields for a large one. */
export const summedNetwork = (
  body: NetworkBody,
): NetworkBody & { readonly summarised?: true; readonly fields: readonly (FieldReport | SummedField)[] } =>
  body.nodes.length <= maxNodes ? body : { ...body, summarised: true, fields: body.fields.map(summedField) };

const summedField = (field: FieldReport): SummedField => {
  const counts = { covered: 0, missing: 0, conflict: 0, unknown: 0 };
  for (const { state } of field.nodes) counts[state] += 1;
  const conflicts = field.nodes.filter(({ state }) => state === 'conflict');
  return { ...field, nodes: conflicts.slice(0, maxConflicts), counts };
};

/**
 * The complete body for some nodes only; `partial` and the warnings are those of all.
 * @param nodeIds `?node=`, once or several times
 * @throws TributaryError BAD_USER_INPUT for an unknown node
 */
export const partOfNetwork = (body: NetworkBody, nodeIds: readonly string[]): NetworkBody => {
  const wanted = new Set(nodeIds);
  const nodes = body.nodes.filter(({ nodeId }) => wanted.has(nodeId));
  const found = new Set(nodes.map(({ nodeId }) => nodeId));
  const unknown = nodeIds.find((nodeId) => !found.has(nodeId));
  if (unknown !== undefined)
    throw badUserInput(
      `node names ${JSON.stringify(unknown.slice(0, 100))}, which is not a node of this network`,
    );
  const fields = body.fields.map((field) => ({
    ...field,
    nodes: field.nodes.filter(({ nodeId }) => wanted.has(nodeId)),
  }));
  return { ...body, nodes, fields };
};

/**
 * The body with only the type of each field, whether rows sort by it, and its state at each node, which is all a portal
 * needs at first.
 * @param detail `?fields=`
 * @throws TributaryError BAD_USER_INPUT for anything but `brief`
 */
export const briefFields = (body: ReturnType<typeof summedNetwork>, detail: unknown): object => {
  if (detail !== 'brief') throw badUserInput('fields must be brief, or be left out');
  const brief = ({ path, type, sortable, nodes, ...field }: FieldReport | SummedField): object => ({
    ...{ path, type, nodes: nodes.map(({ nodeId, state }) => ({ nodeId, state })) },
    ...(sortable === false && { sortable }),
    ...('counts' in field && { counts: field.counts }),
  });
  return { ...body, fields: body.fields.map(brief) };
};
