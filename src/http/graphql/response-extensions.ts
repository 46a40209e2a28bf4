import type { Catalogue } from '../../search/catalogue.ts';
import { catalogueKey } from '../../search/catalogue.ts';
import type { Trace } from '../../search/request-context.ts';
import { fieldsFingerprint } from '../../introspection/mapping/mapping.ts';
import { isJsonObject } from '../../json/json.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import type { CatalogueView } from '../callers/require-access.ts';
import { disclosureOf } from '../callers/require-access.ts';
import type { HttpContext } from '../koa/http-context.ts';
import type { NodesAnswer } from '../../search/nodes-answer.ts';
import type { NodeState } from '../../search/node-states.ts';

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

/** The result with `extensions.disclosure`, which describes the answers of a guarded tier; batches get none. */
export const withDisclosure = (result: unknown, view: CatalogueView | null): unknown => {
  const disclosure = view === null ? null : disclosureOf(view);
  if (disclosure === null || !isJsonObject(result) || !('data' in result)) return result;
  return { ...result, extensions: { ...(result['extensions'] as object | undefined), disclosure } };
};

/** `extensions.network` of a response: that it is partial, and how each node did. */
export interface NetworkExtension {
  readonly partial: true;
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly state: NodeState;
    readonly hits: number | null;
    readonly withheld?: true;
  }[];
}

/**
 * Partial answers, reported to clients that do not select them; null when there are none.
 * @param answers those of all queries of the request; a node is shown as it did worst
 */
export const networkExtension = (answers: readonly NodesAnswer[]): NetworkExtension | null => {
  if (!answers.some(({ partial }) => partial)) return null;
  const nodes = new Map<string, NetworkExtension['nodes'][number]>();
  for (const { nodeId, state, hits, withheld } of answers.flatMap(({ statuses }) => statuses)) {
    const known = nodes.get(nodeId);
    const tier = withheld && { withheld: true as const };
    if (known === undefined || (known.state === 'ok' && state !== 'ok')) nodes.set(nodeId, { nodeId, state, hits, ...tier });
    else if (known.state === state) nodes.set(nodeId, { nodeId, state, hits: known.hits ?? hits, ...tier });
  }
  return { partial: true, nodes: [...nodes.values()] };
}; // prettier-ignore
