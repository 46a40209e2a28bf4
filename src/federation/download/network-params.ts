import { z } from 'zod';
import { badUserInput } from '../../errors/errors.ts';

/** Parameters of a network download in addition to those of a catalogue download. */
export interface NetworkParams {
  /** Node ids; null for all nodes. */
  readonly only: ReadonlySet<string> | null;
  /** Whether an unavailable node aborts the download; otherwise the file ends normally and the manifest lists it. */
  readonly aborts: boolean;
  /** Whether a single file is also delivered in an archive with its manifest. */
  readonly manifest: boolean;
}

const params = z.object({
  nodesFilter: z
    .array(z.string({ error: 'a node id expected' }).nullable(), { error: 'a list of node ids expected' })
    .nullish(),
  onFailure: z.enum(['abort', 'continue'], { error: 'abort or continue expected' }).nullish(),
  manifest: z.boolean({ error: 'true or false expected' }).nullish(),
  roCrate: z
    .literal(false, { error: 'not offered: "manifest": true adds a manifest to the archive' })
    .nullish(),
});

/** The keys of a download that only networks read. */
export const networkKeys: readonly string[] = Object.keys(params.shape);

/** @throws TributaryError BAD_USER_INPUT naming the key and what it expects */
export const parseNetworkParams = (sent: unknown): NetworkParams => {
  const parsed = params.safeParse(sent);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw badUserInput(`params, ${path.join('.')}: ${message}`, {
      details: { path: path.join('.') },
    });
  }
  const { nodesFilter, onFailure, manifest } = parsed.data;
  return {
    only: nodesFilter?.length ? new Set(nodesFilter.filter((id) => id !== null)) : null,
    aborts: onFailure === 'abort',
    manifest: manifest ?? false,
  };
};
