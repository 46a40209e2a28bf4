import { hash } from 'node:crypto';
import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import type { Image } from '../../images/fetch-image.ts';
import type { ImageStore } from '../../images/image-store.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { valueAt } from '../../json/json.ts';
import { storedValues } from '../../local/hits/stored-document.ts';
import type { Registry } from '../../local/registry.ts';
import type { Catalogue, CatalogueState } from '../../search/catalogue.ts';
import { plainQuery } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { auditedRefusal } from '../callers/audit-questions.ts';
import type { AllowanceOf } from '../callers/caller-budgets.ts';
import { requireRecords } from '../callers/require-access.ts';
import {
  nothingAt,
  memoryOf,
  requestContextOf,
  type AccessFilter,
  type HttpContext,
  type NetworkAccess,
} from '../koa/http-context.ts';
import { auditOf } from '../koa/request-questions.ts';
import type { HttpSettings } from '../koa/settings.ts';
import { answerFailed, serveCatalogue } from '../callers/find-target.ts';

export interface ImageParts {
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
  readonly networkAccess?: NetworkAccess | undefined;
  readonly allowanceOf: AllowanceOf;
  readonly settings: HttpSettings;
  /** Unset: no pictures are served. */
  readonly images?: ImageStore | undefined;
}

/** Identifies a picture of a record. */
export interface WantedImage {
  readonly id: string;
  readonly field: string;
  /** The index among the field's values. */
  readonly index: number;
}

/** GET /images/{id}/{field}{/index}, /{catalogue}/images/... @param name the catalogue; null: the only one */
export const showImage = (
  context: HttpContext,
  name: string | null,
  wanted: WantedImage,
  parts: ImageParts,
): Promise<void> =>
  serveCatalogue(context, name, parts, async (state) => {
    if (state === null) throw nothingAt(context.path);
    if (state.status === 'failed') return answerFailed(context, state);
    const requestContext = imageContext(context, parts);
    await sendImage(context, recordImage(context, state, wanted, { ...parts, requestContext }));
  });

export const imageContext = (context: HttpContext, parts: ImageParts): RequestContext =>
  requestContextOf(context, {
    accessFilter: parts.accessFilter,
    networkAccess: parts.networkAccess,
    allowance: parts.allowanceOf(context),
    timeoutMs: parts.settings.searchTimeoutMs,
  });

/** The picture that a path names. @throws TributaryError NOT_FOUND for an index that is not a small number */
export const imageAt = ({
  path,
  params: { id = '', field = '', index = '0' },
}: {
  readonly path: string;
  readonly params: Record<string, string | undefined>;
}): WantedImage => {
  if (!/^\d{1,4}$/.test(index)) throw nothingAt(path);
  return { id, field, index: Number(index) };
};

/**
 * A picture of a record that the caller may see: its address comes only from the record, which is looked up each time,
 * even if the picture is cached.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_DISCLOSED, NOT_FOUND, UPSTREAM_FAILED, TOO_MANY_REQUESTS
 */
export const recordImage = async (
  context: HttpContext,
  { catalogue }: Extract<CatalogueState, { readonly status: 'available' }>,
  wanted: WantedImage,
  { images, accessFilter, requestContext }: ImageParts & { readonly requestContext: RequestContext },
): Promise<Image> => {
  const target = { catalogueId: catalogue.id, network: null };
  await requireRecords(context, catalogue, accessFilter).catch(
    auditedRefusal(auditOf(context), target, 'rows'),
  );
  const field = imageField(catalogue, wanted.field);
  if (images === undefined || field === undefined)
    throw new TributaryError('NOT_FOUND', `no field ${JSON.stringify(wanted.field)} with pictures is here`);
  const address = await addressOf(catalogue, field, wanted, requestContext);
  const { allowance, signal = AbortSignal.timeout(60_000) } = requestContext;
  const cost = { total: fetchCost, parts: [{ what: 'pictures', count: 1, cost: fetchCost }] };
  const admit = async (): Promise<void> => allowance?.paged.admit(cost);
  return images.find(address, { name: allowance?.caller ?? '', admit, signal });
};

/** Microseconds of CPU time to fetch a picture: a handshake, and reading and writing its bytes. */
const fetchCost = 10_000;

const imageField = ({ config, fields }: Catalogue, path: string): Field | undefined =>
  config.extended.some(({ fieldName, image }) => fieldName === path && image === true)
    ? fields.get(path)
    : undefined;

/** The field's value in a record. @throws TributaryError NOT_FOUND */
const addressOf = async (
  catalogue: Catalogue,
  { path, storedAt = path }: Field,
  { id, index }: WantedImage,
  requestContext: RequestContext,
): Promise<string> => {
  const { hits } = await catalogue.search(
    {
      ...plainQuery,
      filters: idFilter(id, catalogue.fields.has('id')),
      hits: { ...onePage, fields: catalogue.fields.has('id') ? ['id', storedAt] : [storedAt] },
    },
    requestContext,
  );
  const hit = hits.find((one) => one.id === id) ?? hits[0];
  const value = hit && storedValues(valueAt(hit.source, storedAt))[index];
  if (typeof value !== 'string') throw new TributaryError('NOT_FOUND', 'there is no such picture');
  return value;
};

/** The key of one document may be the `id` of another. */
const onePage = { first: 2, offset: 0, sort: [], searchAfter: null, trackTotal: false } as const;

/** Filters by the document's key, or by its `id` field if it has one. */
export const idFilter = (id: string, hasId: boolean): Sqon => {
  const leaf = (fieldName: string): Sqon => ({
    ...{ kind: 'leaf', op: 'is', fieldName, values: [id], pivot: null, at: '$' },
  });
  const key = leaf('_id');
  return hasId ? { kind: 'group', op: 'or', content: [key, leaf('id')], pivot: null, at: '$' } : key;
};

/** How long clients may cache a picture, and the failure of one, in seconds. */
const keptSeconds = 3_600;
const failedSeconds = 60;

/**
 * Sends a picture that can be used only in an `img` element, and be stored only in the caller's own cache.
 * @throws the errors of `image`
 */
export const sendImage = async (context: HttpContext, image: Promise<Image>): Promise<void> => {
  context.vary('authorization');
  const { type, bytes } = await image.catch((error: unknown) => {
    const { code } = asTributaryError(error);
    if (code === 'NOT_FOUND' || code === 'UPSTREAM_FAILED')
      context.set('cache-control', `private, max-age=${failedSeconds}`);
    throw error;
  });
  memoryOf(context)?.add(bytes.length);
  context.set({
    'cache-control': `private, max-age=${keptSeconds}`,
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  context.status = 200;
  context.type = type;
  context.etag = hash('sha256', bytes, 'base64url').slice(0, 22);
  if (context.fresh) context.status = 304;
  else context.body = bytes;
};
