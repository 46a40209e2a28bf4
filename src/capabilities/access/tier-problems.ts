import { guardedTiers, tiers, type Tier } from '../../introspection/fields/catalogue-config.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { normaliseSqon } from '../../sqon/rewrite.ts';
import { publicParts, type AccessFile, type AccessRule, type Condition } from './access-file.ts';
import { fillFilter } from './claims.ts';

/** The tiers of a catalogue's disclosure.json. */
export interface GuardedCatalogue {
  readonly default: Tier;
  readonly strata: string | null;
}

const ranked: readonly (Tier | null)[] = tiers.flatMap((tier) => (tier === 'records' ? [null, tier] : tier));

/**
 * The rank of a tier among the rules that apply to a caller, of which the highest holds. Rules that name no tier rank
 * between: the catalogue decides what they mean, never more than records.
 */
export const rankOf = (tier: Tier | null): number => ranked.indexOf(tier);

/** A rule of a catalogue, or its public part, which applies to all callers. */
interface PlacedRule extends AccessRule {
  readonly at: string;
  readonly isPublic: boolean;
}

/**
 * Problems with the tiers of an access file: tiers that a catalogue cannot serve, records that could be subtracted from
 * counts, and rules that never take effect.
 * @param others the key for catalogues that are not listed
 */
export const tierProblems = (
  { catalogues }: AccessFile,
  catalogueIds: readonly string[],
  guarded: ReadonlyMap<string, GuardedCatalogue>,
  others: string,
): readonly string[] =>
  Object.entries(catalogues).flatMap(([id, { public: open, rules }]) => {
    const isOther = (one: string): boolean => !Object.hasOwn(catalogues, one);
    const applied = id === others ? catalogueIds.filter(isOther) : [id];
    const at = `catalogues.${id}`;
    const named: readonly PlacedRule[] = [
      ...(open === undefined ? [] : [{ ...publicParts(open), at: `${at}.public`, isPublic: true }]),
      ...rules.map((rule, index) => ({ ...rule, at: `${at}.rules.${index}`, isPublic: false })),
    ];
    return [
      ...applied.flatMap((catalogueId) => servedProblems(named, catalogueId, guarded.get(catalogueId))),
      ...neverWinning(named),
    ];
  });

const servedProblems = (
  rules: readonly PlacedRule[],
  catalogueId: string,
  guard: GuardedCatalogue | undefined,
): readonly string[] => {
  const tierOf = ({ disclosure }: PlacedRule): Tier => disclosure ?? guard?.default ?? 'records';
  const counting = rules.find((rule) => isGuarded(tierOf(rule)));
  return rules.flatMap((rule) => {
    const tier = tierOf(rule);
    if (guard === undefined)
      return tier === 'records'
        ? []
        : [
            `${rule.at}.disclosure: catalogue ${catalogueId} has no disclosure.json, so nothing is released to tier ${tier}`,
          ];
    if (tier === 'none' || isOfStrata(rule, guard)) return [];
    const expected = `"everything"${guard.strata === null ? '' : `, or in with values of ${guard.strata}`} expected`;
    if (isGuarded(tier))
      return [
        `${rule.at}.filter: tier ${tier} is answered from a release of catalogue ${catalogueId}: ${expected}`,
      ];
    return counting === undefined
      ? []
      : [
          `${rule.at}.filter: records of a part can be subtracted from the counts of everything that ${counting.at} gives of catalogue ${catalogueId}: ${expected}, since strata are released apart`,
        ];
  });
};

const isGuarded = (tier: Tier): boolean => (guardedTiers as readonly Tier[]).includes(tier);

const isOfStrata = ({ filter }: PlacedRule, { strata }: GuardedCatalogue): boolean => {
  if (filter === 'everything') return true;
  const filled = fillFilter(filter, () => ['any']);
  if (filled === null) return false;
  const sqon = normaliseSqon(parseSqon(filled));
  return sqon?.kind === 'leaf' && sqon.op === 'in' && sqon.fieldName === strata && sqon.values.length > 0;
};

/** Rules whose callers all get a higher tier by another rule, whose filter alone then holds. */
const neverWinning = (rules: readonly PlacedRule[]): readonly string[] =>
  rules.flatMap((rule) => {
    if (rule.isPublic) return [];
    const own = rankOf(rule.disclosure ?? null);
    const other = rules.find((one) => rankOf(one.disclosure ?? null) > own && alwaysApplies(one, rule));
    return other === undefined
      ? []
      : [`${rule.at}: it never holds, since ${other.at} gives all its callers a higher tier: remove one`];
  });

/** Whether one rule applies to every caller that another rule applies to. */
const alwaysApplies = (rule: PlacedRule, to: PlacedRule): boolean =>
  fillFilter(rule.filter, () => null) !== null &&
  conditions(rule).every((wanted) => conditions(to).some((held) => implies(held, wanted)));

const conditions = ({ when }: AccessRule): readonly Condition[] => (when === undefined ? [] : [when].flat());

const implies = (held: Condition, wanted: Condition): boolean => {
  if (held.claim !== wanted.claim) return false;
  if (wanted.includes === undefined) return true;
  const accepted = [wanted.includes].flat();
  return held.includes !== undefined && [held.includes].flat().every((value) => accepted.includes(value));
};
