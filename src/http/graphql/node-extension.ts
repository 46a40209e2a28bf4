import type { Catalogue } from '../../search/catalogue.ts';
import { catalogueKey } from '../../search/catalogue-key.ts';
import type { Caller } from '../../search/query.ts';
import { fieldsFingerprint } from '../../introspection/fields/fields-fingerprint.ts';
import { isJsonObject } from '../../json/json.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import { disclosureOf, type CatalogueView } from '../callers/guarded-view.ts';
import type { RequestContext } from '../koa/request-context.ts';

/** Describes the source of a response in `extensions.node`, for requests with the header `Tributary-Node: 1`. */
export interface NodeExtension {
  /** For the caller of the request; undefined: no search need report to it. */
  readonly searched: Caller['searched'];
  /** The result with the extension; batches and refused requests get none. */
  readonly addTo: (result: unknown) => unknown;
}

/**
 * @param catalogue the one queried; null for a network, which has no state
 * @param serverKey the key of this server; undefined: it has none
 */
export const nodeExtension = (
  context: RequestContext,
  catalogue: Catalogue | null,
  serverKey: string | undefined,
): NodeExtension => {
  if (catalogue === null || context.get('tributary-node') !== '1')
    return { searched: undefined, addTo: (result) => result };
  const generations = new Set<string | null>();
  return {
    searched: (generation) => void generations.add(generation),
    addTo: (result) => {
      if (!isJsonObject(result) || !('data' in result)) return result;
      // if something was written between several searches, no generation describes the response
      const [generation = null, ...others] = generations;
      const node = {
        version: serverVersion(),
        ...(serverKey !== undefined && { key: catalogueKey(serverKey, catalogue.id) }),
        schema: fieldsFingerprint(catalogue.fields),
        generation: others.length > 0 ? null : generation,
      };
      return { ...result, extensions: { ...(result['extensions'] as object | undefined), node } };
    },
  };
};

/** The result with `extensions.disclosure`, which says what the answers of a guarded tier are; batches get none. */
export const withDisclosure = (result: unknown, view: CatalogueView | null): unknown => {
  const disclosure = view === null ? null : disclosureOf(view);
  if (disclosure === null || !isJsonObject(result) || !('data' in result)) return result;
  return { ...result, extensions: { ...(result['extensions'] as object | undefined), disclosure } };
};
