import type { CatalogueConfig } from '../introspection/fields/catalogue-config.ts';
import { tiers } from '../introspection/fields/catalogue-config.ts';

type Disclosing = Pick<CatalogueConfig, 'catalogueId' | 'esIndex' | 'disclosure'>;

/**
 * Of a configuration that was read again, what would show more of guarded records than the one in use, and so takes a
 * restart: a disclosure.json may be missing for a moment only, while a folder is copied. Ids are compared ignoring case,
 * as by routes; a catalogue that is not in use is not opened by a reload, and has nothing to keep.
 * @returns by catalogue id, why it keeps the configuration that it has
 */
export const heldDisclosure = (
  inUse: readonly Disclosing[],
  wanted: readonly Disclosing[],
): ReadonlyMap<string, string> => {
  const guarded = inUse.filter(({ disclosure }) => disclosure !== undefined);
  const before = new Map(inUse.map((config) => [config.catalogueId.toLowerCase(), config]));
  return new Map(
    wanted.flatMap((config): (readonly [string, string])[] => {
      const own = before.get(config.catalogueId.toLowerCase());
      if (own === undefined) return [];
      const problem =
        own.disclosure === undefined
          ? sharedIndex(config, guarded)
          : loosened(own.disclosure, config.disclosure);
      return problem === null ? [] : [[config.catalogueId, problem]];
    }),
  );
};

const loosened = (
  { default: before }: NonNullable<Disclosing['disclosure']>,
  after: Disclosing['disclosure'],
): string | null => {
  if (after === undefined)
    return 'disclosure.json is gone: its records stay withheld by the former one until a restart';
  return tiers.indexOf(after.default) > tiers.indexOf(before)
    ? `disclosure.json, default: ${after.default} shows more than ${before}, which holds until a restart`
    : null;
};

const sharedIndex = ({ esIndex }: Disclosing, guarded: readonly Disclosing[]): string | null => {
  const other = guarded.find((one) => one.esIndex === esIndex);
  return other === undefined
    ? null
    : `its index is that of ${other.catalogueId}, whose disclosure.json withholds it until a restart`;
};
