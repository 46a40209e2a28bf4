import { TributaryError } from '../../errors/errors.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** Whether a path names a node of a network that is this node; the node itself does not count. */
export const isWithin = (path: string, nodeId: string): boolean => path.startsWith(`${nodeId}/`);

/** Whether a node, or one of those that it leads to, is among some that are required. */
export const isRequired = (nodeId: string, required: Iterable<string>): boolean => {
  for (const path of required) if (path === nodeId || isWithin(path, nodeId)) return true;
  return false;
};

/**
 * Refuses required nodes that cannot be there. Which nodes a network has shows in its answer only, and one that is down
 * may be one.
 * @throws TributaryError BAD_USER_INPUT
 */
export const checkRequired = (required: readonly string[], nodes: readonly NodeView[]): void => {
  const mayBe = (path: string): boolean =>
    nodes.some(
      ({ config: { nodeId }, status }) =>
        path === nodeId ||
        (isWithin(path, nodeId) && (status.kind === 'down' || status.leaves !== undefined)),
    );
  const unknown = required.find((path) => !mayBe(path));
  if (unknown !== undefined) throw unknownRequired(unknown, nodes);
};

/** The error for a required node that is missing. */
export const unknownRequired = (path: string, nodes: readonly Pick<NodeView, 'config'>[]): TributaryError =>
  new TributaryError('BAD_USER_INPUT', `required names "${path}", which is not a node of this network`, {
    details: { nodeIds: nodes.map(({ config }) => config.nodeId) },
  });
