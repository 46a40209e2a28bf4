import { TributaryError } from '../errors.ts';
import type { Sqon } from '../sqon/ast.ts';
import { group } from '../sqon/ast.ts';
import { normaliseSqon } from '../sqon/normalise.ts';
import { parseSqon } from '../sqon/parse.ts';
import type { AccessFile, AccessRule, Condition, RuleFilter, TokenRules } from './access-file.ts';
import { accessFile } from './access-file.ts';
import type { Claims } from './claims.ts';
import { claimValues, filterValues } from './claims.ts';
import { fillFilter } from './fill-filter.ts';

/** Who may see what. */
export interface AccessRules {
  readonly token: TokenRules;
  /**
   * What a caller may see of a catalogue; null is everything.
   * @param claims null for a caller without a token
   * @throws TributaryError UNAUTHENTICATED without a token where one is needed, FORBIDDEN when no rule applies
   */
  readonly filterFor: (catalogueId: string, claims: Claims | null) => Sqon | null;
  /**
   * Refuses callers who may not use the network; null: whoever has access to some catalogue may.
   * @throws TributaryError as filterFor does
   */
  readonly requireNetwork: ((claims: Claims | null) => void) | null;
}

/** The key for catalogues that are not listed. */
const others = '*';

/**
 * Reads the access file. A catalogue that is neither listed nor covered by `*` is closed to everyone.
 * @param where the file's name, for messages
 * @param catalogueIds the existing catalogues: any other key is a spelling error
 * @throws TributaryError CONFIG_INVALID listing every problem with its key
 */
export const readAccessRules = (
  content: unknown,
  where: string,
  catalogueIds: readonly string[],
): AccessRules => {
  const parsed = accessFile.safeParse(content);
  const problems = parsed.success
    ? problemsOf(parsed.data, catalogueIds)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (!parsed.success || problems.length > 0)
    throw new TributaryError('CONFIG_INVALID', `${where}: ${problems.join('; ')}`, { details: { problems } });
  const { token, catalogues, network } = parsed.data;
  return {
    token,
    filterFor: (catalogueId, claims) => {
      const own = Object.hasOwn(catalogues, catalogueId) ? catalogues[catalogueId] : catalogues[others];
      const open = own?.public === undefined ? [] : [sqonOf(own.public, {})];
      const found = claims === null ? [] : (own?.rules ?? []).map((rule) => ruleSqon(rule, claims));
      const allowed = [...open, ...found].filter((sqon) => sqon !== undefined);
      if (allowed.includes(null)) return null;
      const filters = allowed.filter((sqon) => sqon !== null);
      if (filters.length === 0) throw denied(catalogueId, claims);
      return filters.length === 1 ? filters[0]! : group('or', filters);
    },
    // where there is no catalogue, nothing else says who may use it
    requireNetwork:
      network === undefined && catalogueIds.length > 0
        ? null
        : (claims) => requireNetwork(network ?? { rules: [] }, claims),
  };
};

const requireNetwork = (
  { public: open, rules }: NonNullable<AccessFile['network']>,
  claims: Claims | null,
): void => {
  if (open !== undefined) return;
  if (claims === null) throw new TributaryError('UNAUTHENTICATED', 'the network needs a bearer token');
  if (!rules.some((rule) => applies(rule, claims)))
    throw new TributaryError('FORBIDDEN', 'the network is not open to the bearer of this token');
};

const denied = (catalogueId: string, claims: Claims | null): TributaryError =>
  claims === null
    ? new TributaryError('UNAUTHENTICATED', `catalogue ${catalogueId} needs a bearer token`)
    : new TributaryError(
        'FORBIDDEN',
        `nothing of catalogue ${catalogueId} is open to the bearer of this token`,
      );

/** The filter of a rule: null is everything, undefined means that the rule does not apply. */
const ruleSqon = (rule: AccessRule, claims: Claims): Sqon | null | undefined =>
  applies(rule, claims) ? sqonOf(rule.filter, claims) : undefined;

const applies = ({ when }: Pick<AccessRule, 'when'>, claims: Claims): boolean =>
  (when === undefined ? [] : [when].flat()).every((condition) => holds(condition, claims));

const holds = ({ claim, includes }: Condition, claims: Claims): boolean => {
  const values = claimValues(claims, claim);
  if (values === null) return false;
  return includes === undefined || [includes].flat().some((wanted) => values.includes(wanted));
};

/** A filter that in fact matches everything cannot be intended: for that there is `everything`. */
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
      ...(open === undefined ? [] : filterProblems(open, `${at}.public`, false)),
      ...rules.flatMap((rule, place) => filterProblems(rule.filter, `${at}.rules.${place}.filter`, true)),
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
