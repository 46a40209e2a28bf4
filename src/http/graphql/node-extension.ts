import type { Catalogue } from '../../search/catalogue.ts';
import type { Caller } from '../../search/query.ts';
import { fieldsFingerprint } from '../../introspection/fields/fields-fingerprint.ts';
import { isJsonObject } from '../../json.ts';
import { serverVersion } from '../../server-version.ts';
import type { RequestContext } from '../koa/request-context.ts';

/** Says in `extensions.node` what an answer comes from, to who asks for that by the header `Tributary-Node: 1`. */
export interface NodeExtension {
  /** To be part of the caller that the answer is made for. */
  readonly watching: Pick<Caller, 'searched'>;
  /** The result with the extension: of a batch none, nor of what was refused. */
  readonly addTo: (result: unknown) => unknown;
}

/** @param catalogue the one that answers; null is a network, which has no state of its own */
export const nodeExtension = (context: RequestContext, catalogue: Catalogue | null): NodeExtension => {
  if (catalogue === null || context.get('tributary-node') !== '1')
    return { watching: {}, addTo: (result) => result };
  const generations = new Set<string | null>();
  return {
    watching: { searched: (generation) => void generations.add(generation) },
    addTo: (result) => {
      if (!isJsonObject(result) || !('data' in result)) return result;
      // of several searches between which something was written, none tells the state of the answer
      const [generation = null, ...others] = generations;
      const node = {
        version: serverVersion(),
        schema: fieldsFingerprint(catalogue.fields),
        generation: others.length > 0 ? null : generation,
      };
      return { ...result, extensions: { ...(result['extensions'] as object | undefined), node } };
    },
  };
};
