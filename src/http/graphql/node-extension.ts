import type { Catalogue } from '../../search/catalogue.ts';
import { catalogueKey } from '../../search/catalogue-key.ts';
import type { Trace } from '../../search/request-context.ts';
import { fieldsFingerprint } from '../../introspection/fields/fields-fingerprint.ts';
import { isJsonObject } from '../../json/json.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import { disclosureOf, type CatalogueView } from '../callers/guarded-view.ts';
import type { HttpContext } from '../koa/http-context.ts';

/** Where an answer comes from. */
export interface AnsweringNode {
  readonly catalogue: Catalogue;
  /** The key of this server; undefined: it has none. */
  readonly serverKey: string | undefined;
}

/**
 * The result with `extensions.node`, for requests with the header `Tributary-Node: 1`; batches and refused requests get
 * none.
 */
export const withNode = (
  result: unknown,
  { catalogue, serverKey }: AnsweringNode,
  { generations }: Trace,
): unknown => {
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
};

/** Sets `Tributary-Schema`, a fingerprint of the fields, by which networks notice that they have changed. */
export const nameSchema = (context: HttpContext, catalogue: Catalogue | null): void => {
  if (catalogue !== null) context.set('tributary-schema', fieldsFingerprint(catalogue.fields));
};

/** The result with `extensions.disclosure`, which says what the answers of a guarded tier are; batches get none. */
export const withDisclosure = (result: unknown, view: CatalogueView | null): unknown => {
  const disclosure = view === null ? null : disclosureOf(view);
  if (disclosure === null || !isJsonObject(result) || !('data' in result)) return result;
  return { ...result, extensions: { ...(result['extensions'] as object | undefined), disclosure } };
};
