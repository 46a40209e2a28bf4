import { objectMark } from '../../search/object-mark.ts';
import type { Caller } from '../../search/query.ts';
import { isPartial } from '../merge/status.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeResult } from '../query/fanout.ts';

/**
 * What an answer of a network is made of besides the answers of its nodes, which name themselves: its names and values,
 * which its configuration decides. An answer that lacks a node is another one once that is back.
 */
export const nameComposition = (
  answers: readonly NodeResult[],
  network: NetworkFields,
  { composedOf }: Caller,
): void => {
  composedOf?.('network', objectMark(network));
  if (isPartial(answers)) composedOf?.('nodes', null);
};
