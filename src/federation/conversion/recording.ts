import type { AnswerOrigin, CatalogueResult, SearchFn } from '../../search/query.ts';
import type { NodesAnswer, NodeStatus } from '../../search/nodes-answer.ts';

/**
 * A search whose warnings and origin are recorded and, for a network, the outcome at its nodes: `notes` combines all
 * answers, with the nodes of the answer that covers everything.
 */
export const recording = (search: SearchFn) => {
  const warnings = new Set<string>();
  const failed = new Map<string, NodeStatus>();
  let origin: AnswerOrigin | undefined;
  const recorded: SearchFn = async (query, context) => {
    context.signal?.throwIfAborted();
    const answer = await search(query, context);
    for (const warning of answer.warnings) warnings.add(warning);
    for (const one of answer.nodes?.statuses ?? [])
      if (one.status === 'ERROR' && !failed.has(one.nodeId)) failed.set(one.nodeId, one);
    origin = answer.origin ?? origin;
    return answer;
  };
  const nodesIn = (nodes: NodesAnswer): NodesAnswer => ({
    ...nodes,
    partial: nodes.partial || failed.size > 0,
    statuses: nodes.statuses.map((one) => failed.get(one.nodeId) ?? one),
  });
  const notes = ({ nodes }: Pick<CatalogueResult, 'nodes'>) => ({
    warnings: [...warnings],
    ...(origin && { origin }),
    ...(nodes && { nodes: nodesIn(nodes) }),
  });
  return { recorded, notes };
};
