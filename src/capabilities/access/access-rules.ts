import { TributaryError } from '../../lib/errors/errors.ts';
import type { Tier } from '../../introspection/fields/catalogue-config.ts';
import { group, type Sqon } from '../../sqon/ast.ts';
import { normaliseSqon } from '../../sqon/rewrite.ts';
import { parseSqon } from '../../sqon/parse.ts';
import type {
  AccessFile,
  AccessRule,
  Condition,
  PublicAccess,
  RuleFilter,
  TokenRules,
  VisaRules,
} from './access-file.ts';
import { problemsError, schemaProblems } from '../../lib/text/problem.ts';
import { accessFile, publicParts } from './access-file.ts';
import { claimNamed, claimsLeftOut, claimValues, filterValues, fillFilter, type Claims } from './claims.ts';
import { rankOf, tierProblems, type GuardedCatalogue } from './tier-problems.ts';

/** The access rules of a server. */
export interface AccessRules {
  readonly token: TokenRules;
  /** undefined: passports are not read. */
  readonly visas: VisaRules | undefined;
  /**
   * The filter for what a caller may see of a catalogue; null: everything.
   * @param claims null for a caller without a token
   * @param hub the name of the hub whose tunnel the request came through; unset: none
   * @throws TributaryError UNAUTHENTICATED without a token where one is needed, FORBIDDEN when no rule applies
   */
  readonly filterFor: (catalogueId: string, claims: Claims | null, hub?: string) => Sqon | null;
  /**
   * Refuses callers who may not use networks. Without rules for networks, these are all callers, since open access here
   * does not open other servers' records.
   * @throws TributaryError as filterFor does
   */
  readonly requireNetwork: (claims: Claims | null) => void;
  /**
   * What a caller may learn about what they may see: the highest tier of the rules that apply, whose filters alone then
   * hold; null if these rules name none.
   * @throws TributaryError as filterFor
   */
  readonly tierFor: (catalogueId: string, claims: Claims | null, hub?: string) => Tier | null;
  /** Why rules for a catalogue do not apply to a token, a reason for each; rules for hubs left out. */
  readonly unmet: (catalogueId: string, claims: Claims) => readonly string[];
  /** Whether some rule for a catalogue has `disclosure`. */
  readonly namesDisclosure: (catalogueId: string) => boolean;
}

/** The key for catalogues that are not listed. */
const others = '*';

/**
 * Reads the access file. A catalogue that is neither listed nor covered by `*` is closed to all callers.
 * @param where the file's name, for messages
 * @param catalogueIds the existing catalogues: any other key is a spelling error
 * @param guarded the catalogues with a disclosure.json: only these can answer without showing records
 * @throws TributaryError CONFIG_INVALID listing every problem with its key
 */
export const readAccessRules = (
  content: unknown,
  where: string,
  catalogueIds: readonly string[],
  guarded: ReadonlyMap<string, GuardedCatalogue> = new Map(),
): AccessRules => {
  const parsed = accessFile.safeParse(content);
  if (!parsed.success) throw problemsError(schemaProblems(accessFile, parsed.error.issues, content, where));
  const problems = [
    ...problemsOf(parsed.data, catalogueIds),
    ...tierProblems(parsed.data, catalogueIds, guarded, others),
  ];
  if (problems.length > 0)
    throw problemsError(
      problems.map((reason) => ({ severity: 'error', file: where, key: '', reason }) as const),
    );
  const { token, visas, catalogues, network } = parsed.data;
  const rulesOf = (catalogueId: string): AccessFile['catalogues'][string] | undefined =>
    Object.hasOwn(catalogues, catalogueId) ? catalogues[catalogueId] : catalogues[others];
  const grantsFor = (catalogueId: string, claims: Claims | null, hub?: string): readonly Grant[] => {
    const own = rulesOf(catalogueId);
    const open = own?.public === undefined ? [] : [publicGrant(own.public)];
    const found = (own?.rules ?? []).map((rule) => ruleGrant(rule, claims, hub));
    const granted = [...open, ...found].filter((grant) => grant !== null);
    refuseLeftOut(catalogueId, own?.rules ?? [], claims, granted);
    if (granted.length === 0) throw denied(catalogueId, claims);
    const highest = Math.max(...granted.map(({ tier }) => rankOf(tier)));
    return granted.filter(({ tier }) => rankOf(tier) === highest);
  };
  return {
    token,
    visas,
    filterFor: (catalogueId, claims, hub) => {
      const filters = grantsFor(catalogueId, claims, hub).map(({ filter }) => filter);
      if (filters.includes(null)) return null;
      const sqons = filters.filter((sqon) => sqon !== null);
      return sqons.length === 1 ? sqons[0]! : group('or', sqons);
    },
    tierFor: (catalogueId, claims, hub) => grantsFor(catalogueId, claims, hub)[0]!.tier,
    unmet: (catalogueId, claims) =>
      (rulesOf(catalogueId)?.rules ?? []).flatMap((rule, at) => {
        const reason = rule.hub === undefined ? unmetBy(rule, claims) : null;
        return reason === null ? [] : [`rule ${String(at + 1)} does not apply: ${reason}`];
      }),
    namesDisclosure: (catalogueId) => {
      const { public: open, rules = [] } = rulesOf(catalogueId) ?? {};
      const parts = [...(open === undefined ? [] : [publicParts(open)]), ...rules];
      return parts.some(({ disclosure }) => disclosure !== undefined);
    },
    requireNetwork: (claims) => requireNetwork(network ?? { rules: [] }, claims),
  };
};

const requireNetwork = (
  { public: open, rules }: NonNullable<AccessFile['network']>,
  claims: Claims | null,
): void => {
  if (open !== undefined) return;
  if (claims === null) throw new TributaryError('UNAUTHENTICATED', 'the network needs a bearer token');
  if (rules.some((rule) => applies(rule, claims))) return;
  const name = leftOutOf(claims, rules);
  if (name !== undefined) throw new ClaimLeftOut('the network', name);
  throw new TributaryError('FORBIDDEN', 'the network is not open to the bearer of this token');
};

/**
 * Issuers leave out long lists of groups: the token would show less than its bearer may see, as if that were all.
 * @throws TributaryError FORBIDDEN when a rule needs a claim that the token leaves out, unless everything is open anyway
 */
const refuseLeftOut = (
  catalogueId: string,
  rules: readonly AccessRule[],
  claims: Claims | null,
  granted: readonly Grant[],
): void => {
  if (claims === null || granted.some(isEverything)) return;
  const name = leftOutOf(claims, rules);
  if (name !== undefined) throw new ClaimLeftOut(`catalogue ${catalogueId}`, name);
};

/** A claim that rules read, itself or what is in it, and that the token has no value of because its issuer left it out. */
const leftOutOf = (claims: Claims, rules: readonly AccessRule[]): string | undefined => {
  const lacking = rules.flatMap(claimsIn).filter((claim) => claimValues(claims, claim) === null);
  return claimsLeftOut(claims).find((name) =>
    lacking.some((claim) => claim === name || claim.startsWith(`${name}.`)),
  );
};

const isEverything = ({ filter, tier }: Grant): boolean =>
  filter === null && (tier === null || tier === 'records');

/** The claims that a rule reads, in its conditions and in its filter. */
const claimsIn = ({ when, filter }: Pick<AccessRule, 'when' | 'filter'>): readonly string[] => {
  const names = (when === undefined ? [] : [when].flat()).map(({ claim }) => claim);
  if (filter !== 'everything')
    fillFilter(filter, (claim) => {
      names.push(claim);
      return [];
    });
  return names;
};

/** A token that opens nothing, and might with a claim that its issuer left out. */
export class ClaimLeftOut extends TributaryError {
  constructor(what: string, claim: string) {
    super(
      'FORBIDDEN',
      `the issuer left the claim ${JSON.stringify(claim)} out of this token, as happens with many groups, and the rules for ${what} need it: have the issuer send fewer groups, or roles of the application`,
    );
  }
}

/** The grant of one rule: a filter, null for everything, and the tier of what may be learned. */
interface Grant {
  readonly filter: Sqon | null;
  readonly tier: Tier | null;
}

const denied = (catalogueId: string, claims: Claims | null): TributaryError =>
  claims === null
    ? new TributaryError('UNAUTHENTICATED', `catalogue ${catalogueId} needs a bearer token`)
    : new TributaryError(
        'FORBIDDEN',
        `nothing of catalogue ${catalogueId} is open to the bearer of this token`,
      );

/** null when the rule does not apply. */
const ruleGrant = (rule: AccessRule, claims: Claims | null, hub: string | undefined): Grant | null =>
  applies(rule, claims, hub) ? grantOf(rule.filter, rule.disclosure, claims ?? {}) : null;

/** A rule without conditions applies to every token; a rule for a hub applies to all of its callers. */
const applies = (
  { when, hub: wanted }: Pick<AccessRule, 'when' | 'hub'>,
  claims: Claims | null,
  hub?: string,
): boolean => {
  if (wanted !== undefined && wanted !== hub) return false;
  if (claims === null) return wanted !== undefined && when === undefined;
  return (when === undefined ? [] : [when].flat()).every((condition) => holds(condition, claims));
};

const grantOf = (filter: RuleFilter, tier: Tier | undefined, claims: Claims): Grant | null => {
  const sqon = sqonOf(filter, claims);
  return sqon === undefined ? null : { filter: sqon, tier: tier ?? null };
};

const publicGrant = (open: PublicAccess): Grant | null => {
  const { filter, disclosure } = publicParts(open);
  return grantOf(filter, disclosure, {});
};

const holds = ({ claim, includes }: Condition, claims: Claims): boolean => {
  const values = claimValues(claims, claim);
  if (values === null) return false;
  return includes === undefined || [includes].flat().some((wanted) => values.includes(wanted));
};

/** What a rule needs that a token lacks; null: nothing. */
const unmetBy = (rule: AccessRule, claims: Claims): string | null => {
  const failed = (rule.when === undefined ? [] : [rule.when].flat()).find((one) => !holds(one, claims));
  if (failed !== undefined && claimValues(claims, failed.claim) !== null)
    return `its ${JSON.stringify(failed.claim)} is not ${[failed.includes ?? []].flat().map(printed).join(' or ')}`;
  const name = claimsIn(rule).find((one) => filterValues(claims, one) === null);
  if (name === undefined) return null;
  return claimNamed(claims, name) === undefined
    ? `it has no claim ${JSON.stringify(name)}`
    : `its ${JSON.stringify(name)} has values that rules do not read: only texts, numbers and booleans, none of a special meaning`;
};

const printed = (value: unknown): string => JSON.stringify(value);

/** A filter that matches everything cannot be intended: `everything` exists for that. */
const sqonOf = (filter: RuleFilter, claims: Claims): Sqon | null | undefined => {
  if (filter === 'everything') return null;
  const filled = fillFilter(filter, (claim) => filterValues(claims, claim));
  return filled === null ? undefined : (normaliseSqon(parseSqon(filled)) ?? undefined);
};

const problemsOf = (
  { catalogues, network }: AccessFile,
  catalogueIds: readonly string[],
): readonly string[] => [
  ...(network !== undefined && network.public === undefined && network.rules.length === 0
    ? ['network: it has neither rules nor public']
    : []),
  ...Object.entries(catalogues).flatMap(([id, { public: open, rules }]) => {
    const at = `catalogues.${id}`;
    const unknown =
      id === others || catalogueIds.includes(id)
        ? []
        : [`${at}: there is no such catalogue, only ${catalogueIds.join(', ') || 'none'}`];
    const closed = open === undefined && rules.length === 0 ? [`${at}: it has neither rules nor public`] : [];
    return [
      ...unknown,
      ...closed,
      ...(open === undefined ? [] : filterProblems(publicParts(open).filter, `${at}.public`, false)),
      ...rules.flatMap((rule, index) => filterProblems(rule.filter, `${at}.rules.${index}.filter`, true)),
    ];
  }),
];

/** Validates a filter with a sample value for every claim. */
const filterProblems = (filter: RuleFilter, at: string, claimed: boolean): readonly string[] => {
  if (filter === 'everything') return [];
  try {
    const filled = fillFilter(filter, () => (claimed ? ['any'] : null));
    if (filled === null) return [`${at}: it names a claim, which callers without a token do not have`];
    return normaliseSqon(parseSqon(filled)) === null
      ? [`${at}: it matches everything; write "everything" if it is meant to`]
      : [];
  } catch (error) {
    if (error instanceof TributaryError) return [`${at}: ${error.message}`];
    throw error;
  }
};
