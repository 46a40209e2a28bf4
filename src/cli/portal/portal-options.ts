import { parseCommandLine, wrongCommandLine } from '../terminal/command-line.ts';

/** The options of `tributary portal build`. */
export interface PortalOptions {
  readonly out: string;
  /** Ends with a slash. */
  readonly api: string;
}

/** What `tributary portal --help` prints. */
export const portalUsage = `Usage: tributary portal build --out DIR --api URL

Writes the portal as a static site: files that any web server can serve, for a server of records elsewhere.

  --out DIR   where to write; the folder must be empty or missing
  --api URL   where browsers reach the server of the records, such as https://search.example.org/; it must serve its
              portal too (PORTAL is on), and ALLOWED_CORS_ORIGINS must let the site's origin in
  --help      this text

PORTAL_PATH names the file with name, colours and texts; PORTAL_OIDC_ISSUER and PORTAL_OIDC_CLIENT_ID let people sign in.

Exit code: 0 when it is written, 1 when it could not be, 2 for an invalid command line.`;

/**
 * The command line behind `portal` as options; null when help was requested.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const portalOptions = (argv: readonly string[]): PortalOptions | null => {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return null;
  if (positionals.length !== 1 || positionals[0] !== 'build')
    throw wrongCommandLine(
      positionals.length === 0
        ? 'say what to do: build'
        : `there is no portal ${positionals.join(' ')}: build expected`,
    );
  if (values.out === undefined) throw wrongCommandLine('give --out DIR');
  if (values.api === undefined) throw wrongCommandLine('give --api URL');
  if (!URL.canParse(values.api) || !/^https?:$/.test(new URL(values.api).protocol))
    throw wrongCommandLine(`--api ${JSON.stringify(values.api)} is not an http or https URL`);
  return { out: values.out, api: `${values.api.replace(/\/+$/, '')}/` };
};

const parsed = (argv: readonly string[]) =>
  parseCommandLine(argv, {
    allowPositionals: true,
    options: { out: { type: 'string' }, api: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
