import type { NodeCount } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { colouredNodes } from '../look/node-colours.ts';

/** A segment of a bar, in counts. */
export interface Part {
  /** '' for all institutions together. */
  readonly nodeId: string;
  readonly from: number;
  readonly to: number;
}

/** The segments of a bar, one for each institution; a single segment if that is not known, or there are too many colours. */
export const partsOf = (
  catalogue: Pick<Catalogue, 'nodes'>,
  { nodes, count }: { readonly nodes?: readonly NodeCount[] | null; readonly count: number },
): readonly Part[] => {
  if (!nodes?.length || catalogue.nodes.length > colouredNodes) return [{ nodeId: '', from: 0, to: count }];
  let at = 0;
  return catalogue.nodes.flatMap(({ nodeId }) => {
    const own = nodes.find((node) => node.nodeId === nodeId)?.count ?? 0;
    return own === 0 ? [] : [{ nodeId, from: at, to: (at += own) }];
  });
};
