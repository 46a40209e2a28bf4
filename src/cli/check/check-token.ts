import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { ClaimLeftOut, type AccessRules } from '../../capabilities/access/access-rules.ts';
import type { Claims } from '../../capabilities/access/claims.ts';
import type { Config } from '../../server/config/config.ts';
import { asTributaryError, invalidConfig, invalidInput } from '../../lib/errors/errors.ts';
import { printSqon } from '../../sqon/parse.ts';
import { openVerifier } from '../../capabilities/access/open-access.ts';

/**
 * `tributary check --token FILE`: what a token opens of each catalogue, and why not more.
 * @param file `-` for standard input, as arguments are seen by other users of a machine
 * @returns the exit code: 0 for a valid token that lacks nothing its issuer left out, else 1
 * @throws TributaryError CONFIG_INVALID, INPUT_INVALID
 */
export const checkToken = async (config: Config, file: string): Promise<number> => {
  const notices: string[] = [];
  const verifier = openVerifier(config, {
    fetchFailed: (error) => notices.push(`keys or a passport cannot be fetched: ${messageOf(error)}`),
    visaRefused: ({ issuer, reason }) =>
      notices.push(`a visa of ${issuer ?? 'no issuer'} does not count: ${reason}`),
    slashDiffers: ({ token, configured }) =>
      notices.push(`its issuer ${token} is configured as ${configured}: they differ by a slash`),
  });
  if (verifier === null)
    throw invalidConfig('ACCESS_FILTER_PATH is not set: everything is open, with any token or none');
  const content = file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8');
  const token = content.trim().replace(/^Bearer +/i, '');
  let claims: Claims | null;
  try {
    claims = await verifier.verify(`Bearer ${token}`);
  } catch (error) {
    console.log([`refused: ${messageOf(error)}${causeOf(error)}`, ...notices].join('\n'));
    return 1;
  }
  if (claims === null) throw invalidInput(`${file} has no token`);
  const catalogues = config.catalogues.map(({ catalogueId }) =>
    openedOf(catalogueId, verifier.rules, claims),
  );
  const network = opened(() => (verifier.rules.requireNetwork(claims), 'open'));
  const lines = [...catalogues.flatMap((one) => one.lines), `the network: ${network.text}`];
  console.log([`valid: ${aboutOf(claims)}`, ...notices, ...lines].join('\n'));
  return [...catalogues, network].some(({ isLeftOut }) => isLeftOut) ? 1 : 0;
};

const aboutOf = ({ iss, sub, exp }: Claims): string =>
  `issuer ${String(iss)}, subject ${String(sub)}, until ${new Date(Number(exp) * 1000).toISOString()}`;

/** What is open, or why it is not. */
interface Opened {
  readonly text: string;
  /** Whether the issuer left out a claim that decides it. */
  readonly isLeftOut: boolean;
}

const opened = (ask: () => string): Opened => {
  try {
    return { text: ask(), isLeftOut: false };
  } catch (error) {
    const { code, message } = asTributaryError(error);
    if (code !== 'FORBIDDEN') throw error;
    return { text: `closed: ${message}`, isLeftOut: error instanceof ClaimLeftOut };
  }
};

const openedOf = (catalogueId: string, rules: AccessRules, claims: Claims) => {
  const found = opened(() => {
    const filter = rules.filterFor(catalogueId, claims);
    const tier = rules.tierFor(catalogueId, claims) ?? 'records';
    return `${tier} of ${filter === null ? 'everything' : JSON.stringify(printSqon(filter))}`;
  });
  const unmet = rules.unmet(catalogueId, claims).map((reason) => `  ${reason}`);
  return { ...found, lines: [`${catalogueId}: ${found.text}`, ...unmet] };
};

const messageOf = (error: unknown): string => asTributaryError(error).message;

/** What the library that checks signatures says, such as the claim that does not fit. */
const causeOf = (error: unknown): string => {
  const { cause } = asTributaryError(error);
  return cause instanceof Error ? ` (${cause.message})` : '';
};
