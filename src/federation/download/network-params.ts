import { z } from 'zod';
import { TributaryError } from '../../errors.ts';

/** What a download of a network takes beside what one of a catalogue takes. */
export interface NetworkParams {
  /** Node ids; null for all nodes. */
  readonly only: ReadonlySet<string> | null;
  /** Whether a node that stays away breaks the download off; else the file ends properly and the manifest tells. */
  readonly aborts: boolean;
  /** Whether a single file comes in an archive with its manifest too. */
  readonly manifest: boolean;
  readonly roCrate: boolean;
}

const flag = z.boolean({ error: 'true or false expected' }).nullish();
const params = z.object({
  nodesFilter: z
    .array(z.string({ error: 'a node id expected' }).nullable(), { error: 'a list of node ids expected' })
    .nullish(),
  onFailure: z.enum(['abort', 'continue'], { error: 'abort or continue expected' }).nullish(),
  manifest: flag,
  roCrate: flag,
});

/** @throws TributaryError BAD_USER_INPUT naming the key and what is expected there */
export const parseNetworkParams = (sent: unknown): NetworkParams => {
  const parsed = params.safeParse(sent);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new TributaryError('BAD_USER_INPUT', `params, ${path.join('.')}: ${message}`, {
      details: { path: path.join('.') },
    });
  }
  const { nodesFilter, onFailure, manifest, roCrate } = parsed.data;
  return {
    only: nodesFilter?.length ? new Set(nodesFilter.filter((id) => id !== null)) : null,
    aborts: onFailure === 'abort',
    manifest: manifest ?? false,
    roCrate: roCrate ?? false,
  };
};
