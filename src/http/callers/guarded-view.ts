import { TributaryError } from '../../errors/errors.ts';
import { tierOf } from '../../disclosure/guard/guard-catalogue.ts';
import type { Tier } from '../../introspection/fields/disclosure-config.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { tiersOf, type HttpContext } from '../koa/http-context.ts';

/** What a caller is served of a catalogue: itself, or its stand-in for their tier. */
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

/** What `extensions.disclosure`, `meta.disclosure` and `configs { disclosure }` say of answers; null of records. */
export const disclosureOf = ({ catalogue: { disclosure }, tier }: CatalogueView) =>
  disclosure === undefined ? null : { tier, ...disclosure };
