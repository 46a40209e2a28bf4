import type Router from '@koa/router';
import { TributaryError } from '../../errors/errors.ts';
import type { NodeView } from '../../federation/nodes/node-view.ts';
import { checkedImage, type Image } from '../../images/fetch-image.ts';
import { auditing } from '../../search/audited-search.ts';
import { auditedRefusal } from '../callers/audit-questions.ts';
import {
  idFilter,
  imageAt,
  imageContext,
  recordImage,
  sendImage,
  showImage,
  type ImageParts,
  type WantedImage,
} from '../catalogue/image-routes.ts';
import { nothingAt, memoryOf, type HttpContext, type RequestState } from '../koa/http-context.ts';
import { auditOf } from '../koa/request-questions.ts';
import { requireNetwork, servedNetwork, type NetworkParts } from '../callers/find-target.ts';

/** The pictures of records: added after all other paths, so that a catalogue may be named `images`. */
export const addImages = (router: Router<RequestState>, parts: ImageParts & NetworkParts): void => {
  for (const base of ['/network', '/:catalogue/network'])
    router.get(`${base}/images/:node/:id/:field{/:index}`, (context) => {
      const { catalogue = null, node = '' } = context.params;
      return showNetworkImage(context, catalogue, { nodePath: node, wanted: imageAt(context) }, parts);
    });
  for (const base of ['/:catalogue', ''])
    router.get(`${base}/images/:id/:field{/:index}`, (context) =>
      showImage(context, context.params['catalogue'] ?? null, imageAt(context), parts),
    );
};

/**
 * GET .../network/images/{node}/{id}/{field}{/index}: the picture as the node serves it, which looks the record up and
 * fetches the picture. Bytes from another server are checked like those from a picture host.
 */
const showNetworkImage = async (
  context: HttpContext,
  name: string | null,
  { nodePath, wanted }: { readonly nodePath: string; readonly wanted: WantedImage },
  parts: ImageParts & NetworkParts,
): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null) throw nothingAt(context.path);
  const { network } = served;
  const audit = auditOf(context);
  const target = { catalogueId: null, network: network.displayName() };
  await requireNetwork(context, served, parts).catch(auditedRefusal(audit, target, 'rows'));
  const node = network.nodes().find(({ config }) => `${nodePath}/`.startsWith(`${config.nodeId}/`));
  if (node === undefined)
    throw new TributaryError('NOT_FOUND', `no node ${JSON.stringify(nodePath)} is here`);
  const { nodeId } = node.config;
  const image = auditing(
    audit,
    () => nodeImage(context, node, { ...wanted, within: nodePath.slice(nodeId.length + 1) }, parts),
    () => ({
      ...{ ...target, kind: 'rows', tier: null, filters: idFilter(wanted.id, false), fields: [wanted.field] },
      nodes: [{ nodeId, state: 'pending', tookMs: 0 }],
    }),
    () => ({ rows: 1, nodes: [{ nodeId, state: 'ok', tookMs: 0 }] }),
  );
  await sendImage(context, image);
};

/** @param within the inner node that has the record, if the node is a network; empty: the node itself */
const nodeImage = async (
  context: HttpContext,
  { config, status, fieldMapping }: NodeView,
  { within, ...wanted }: WantedImage & { readonly within: string },
  parts: ImageParts,
): Promise<Image> => {
  const field = fieldMapping.toNode(wanted.field);
  const requestContext = imageContext(context, parts);
  if (config.source.kind === 'local') {
    const state = parts.registry.byId(config.source.catalogueId);
    if (state?.status !== 'available') throw new TributaryError('NOT_READY', `node ${config.nodeId} is away`);
    return recordImage(context, state, { ...wanted, field }, { ...parts, requestContext });
  }
  if (status.kind === 'down') throw new TributaryError(status.code, status.reason);
  if (status.image === undefined) throw nothingAt(context.path);
  const path = [...(within === '' ? [] : [within]), wanted.id, field, String(wanted.index)];
  const bytes = await status.image(path.map(encodeURIComponent).join('/'), requestContext);
  memoryOf(context)?.add(bytes.length);
  return checkedImage(bytes);
};
