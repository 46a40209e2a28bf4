import { TributaryError } from '../../errors/errors.ts';
import type { Network } from '../../federation/network.ts';
import type { CatalogueState, Catalogue } from '../../search/catalogue.ts';
import type { WithheldStatement } from '../../search/nodes-answer.ts';
import type { Registry } from '../../local/registry.ts';
import type { AccessFilter, HttpContext, Middleware } from '../koa/http-context.ts';
import { nothingAt, originOf, tiersOf } from '../koa/http-context.ts';
import { tierOf } from '../../disclosure/guard/guard-catalogue.ts';
import { notDisclosed } from '../../disclosure/not-disclosed.ts';
import type { Tier } from '../../introspection/fields/catalogue-config.ts';
import type { HttpSettings } from '../koa/settings.ts';

interface AccessParts {
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
}

/**
 * Refuses a caller who has access to none of these catalogues: field names are as confidential as data.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const requireAccess = async (
  context: HttpContext,
  states: readonly CatalogueState[],
  { accessFilter }: Pick<AccessParts, 'accessFilter'>,
): Promise<void> => {
  const found = await Promise.all(states.map((state) => refusalOf(filterOf(context, state, accessFilter))));
  const refused = found.filter((refusal) => refusal !== null);
  if (refused.length > 0 && refused.length === states.length) throw refused[0];
};

/** Whether an access check passes. @throws any error other than a refusal */
export const passes = async (check: Promise<void>): Promise<boolean> => (await refusalOf(check)) === null;

/**
 * Refuses a caller who has no access to some catalogue of a network, as the network's schema reveals all of them.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const requireOpenNodes = async (
  context: HttpContext,
  network: Network,
  parts: AccessParts,
): Promise<void> => {
  for (const refusal of (await closedNodes(context, network, parts)).values()) throw refusal;
};

/** The network's local nodes that a caller has no access to, by id, with the reason. */
export const closedNodes = async (
  context: HttpContext,
  network: Network,
  { registry, accessFilter }: AccessParts,
): Promise<ReadonlyMap<string, TributaryError>> => {
  const closed = new Map<string, TributaryError>();
  for (const [nodeId, catalogueId] of network.catalogues()) {
    const state = registry.byId(catalogueId);
    const refusal = state === undefined ? null : await refusalOf(openTo(context, state, accessFilter));
    if (refusal !== null) closed.set(nodeId, refusal);
  }
  return closed;
};

/** Whether a node withholds its records from a caller, and what it discloses; null: it withholds none. */
export interface NodeDisclosure {
  readonly withheld: boolean;
  readonly disclosure: WithheldStatement | null;
}

/** What this server's own catalogues in a network disclose to a caller, by node. */
export const disclosedNodes = async (
  context: HttpContext,
  network: Network,
  { registry, accessFilter }: AccessParts,
): Promise<ReadonlyMap<string, NodeDisclosure>> => {
  const disclosed = new Map<string, NodeDisclosure>();
  for (const [nodeId, catalogueId] of network.catalogues()) {
    const state = registry.byId(catalogueId);
    if (state?.status !== 'available' || state.catalogue.guarded === undefined) continue;
    const reading = async (): Promise<void> => {
      const disclosure = await disclosureOf(context, await viewFor(context, state.catalogue), accessFilter);
      disclosed.set(nodeId, { withheld: disclosure !== null, disclosure });
    };
    if ((await refusalOf(reading())) !== null) disclosed.set(nodeId, { withheld: true, disclosure: null });
  }
  return disclosed;
};

/** Why a check fails: no valid token, no rule, or unavailable keys; null when it passes. */
export const refusalOf = async (check: unknown): Promise<TributaryError | null> => {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof TributaryError && refusals.has(error.code)) return error;
    throw error;
  }
};

/** @throws TributaryError for a caller who may see nothing of a catalogue, by filter or by tier */
const openTo = async (
  context: HttpContext,
  state: CatalogueState,
  accessFilter: AccessFilter,
): Promise<void> => {
  await filterOf(context, state, accessFilter);
  if (state.status === 'available') await viewFor(context, state.catalogue);
};

/** The access filter of a catalogue; errors become rejections. */
const filterOf = async (context: HttpContext, { config }: CatalogueState, accessFilter: AccessFilter) =>
  accessFilter(context, config.catalogueId);

const refusals: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_READY']);

/** What a caller is served for a catalogue: the catalogue itself, or its substitute for the caller's tier. */
export interface CatalogueView {
  readonly catalogue: Catalogue;
  readonly tier: Tier;
}

/** @throws TributaryError UNAUTHENTICATED, FORBIDDEN */
export const viewFor = async (context: HttpContext, catalogue: Catalogue): Promise<CatalogueView> => {
  const tier = await tierOf(catalogue, tiersOf(context));
  if (tier === 'none')
    throw new TributaryError('FORBIDDEN', `nothing of catalogue ${catalogue.id} is open to this caller`);
  return { catalogue: tier === 'records' ? catalogue : (catalogue.guarded ?? catalogue), tier };
};

/**
 * Refuses a caller who may not see the records of a catalogue.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_DISCLOSED
 */
export const requireRecords = async (
  context: HttpContext,
  catalogue: Catalogue,
  accessFilter: AccessFilter,
): Promise<void> => {
  await accessFilter(context, catalogue.id);
  const { tier } = await viewFor(context, catalogue);
  if (tier !== 'records') throw notDisclosed('records are');
};

/** The contents of `extensions.disclosure`, `meta.disclosure` and `configs { disclosure }`; null for records. */
export const disclosureOf = async (
  context: HttpContext,
  { catalogue: { id, disclosure }, tier }: CatalogueView,
  accessFilter: AccessFilter,
): Promise<WithheldStatement | null> =>
  disclosure === undefined || tier === 'records' || tier === 'none'
    ? null
    : { tier, ...disclosure(await accessFilter(context, id)) };

export interface ChallengeParts {
  /** The issuers whose tokens are valid here; unset: none. */
  readonly issuers?: (() => readonly string[]) | undefined;
  readonly settings: Pick<HttpSettings, 'publicOrigin'>;
  /** The paths that are protected resources, in addition to the server itself. */
  readonly resources: readonly string[];
}

const metadataPath = '/.well-known/oauth-protected-resource';

/** Adds a challenge for a token to 401 responses, naming where tokens come from (RFC 6750, RFC 9728). */
export const challengeCallers =
  ({ issuers = () => [], settings, resources }: ChallengeParts): Middleware =>
  async (context, next) => {
    await next();
    if (context.status !== 401) return;
    const path = resources.find((one) => context.path === one) ?? '';
    const metadata = `${originOf(context, settings)}${metadataPath}${path}`;
    context.set(
      'www-authenticate',
      issuers().length === 0 ? 'Bearer' : `Bearer resource_metadata="${metadata}"`,
    );
  };

/** GET /.well-known/oauth-protected-resource, and below it the path of a resource (RFC 9728). */
export const showResource = (
  context: HttpContext,
  { issuers = () => [], settings, resources }: ChallengeParts,
): void => {
  const path = context.path.slice(metadataPath.length);
  if (issuers().length === 0 || !['', ...resources].includes(path)) throw nothingAt(context.path);
  context.body = {
    resource: `${originOf(context, settings)}${path}`,
    authorization_servers: issuers(),
    bearer_methods_supported: ['header'],
  };
};
