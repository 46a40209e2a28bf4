import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { closest } from '../../lib/text/unknown-keys.ts';
import { asTributaryError, invalidConfig } from '../../lib/errors/errors.ts';
import { faultAt, noticeAt, problemsError, type Problem } from '../../lib/text/problem.ts';
import { renamed, rewritten, secrets, variables, withoutMeaning, type Variables } from './variables.ts';

/**
 * Settings by the names of the environment variables, as docs/configuration.md lists them.
 * @example
 * import { createRouter, type Environment } from 'tributary';
 *
 * const env: Environment = { ...process.env, LOG_LEVEL: 'warn' };
 * const router = await createRouter({ env });
 */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadEnvironment {
  readonly variables: Variables;
  /** Deprecated names, and unknown ones that look like a known one. */
  readonly warnings: readonly Problem[];
}

/**
 * The environment as typed values with their defaults. An empty value counts as unset, as in compose files.
 * @throws TributaryError CONFIG_INVALID naming every variable with a wrong value, and the value unless it is a secret
 */
export const readEnvironment = (env: Environment): ReadEnvironment => {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const inFiles = new Map([...secrets].map((name) => [name, attempt(() => secretIn(set, name))]));
  for (const [name, { value }] of inFiles) if (value !== undefined) set[name] = value;
  const old = rewrite(set);
  const warnings = [
    ...rename(set),
    ...old.warnings,
    ...unread(Object.keys(set)),
    ...lookAlikes(Object.keys(set)),
  ];
  const parsed = variables.safeParse(set);
  const problems = [...old.problems, ...[...inFiles.values()].flatMap(({ problem }) => problem ?? [])];
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => problemOf(issue, set)));
  if (parsed.success) problems.push(...contradictions(parsed.data));
  if (!parsed.success || problems.length > 0) throw problemsError(problems);
  return { variables: parsed.data, warnings };
};

const ofVariable = (key: string, reason: string): Problem => faultAt(null, key, reason);

const attempt = (read: () => string | undefined): { readonly value?: string; readonly problem?: Problem } => {
  try {
    const value = read();
    return value === undefined ? {} : { value };
  } catch (error) {
    // the message begins with the variable
    const [name = '', ...reason] = asTributaryError(error).message.split(' ');
    return { problem: ofVariable(name, reason.join(' ')) };
  }
};

/** Moves values of old names to the new ones, which win if both are set. Modifies `set`. */
const rename = (set: Record<string, string | undefined>): readonly Problem[] => {
  const warnings: Problem[] = [];
  for (const [old, name] of Object.entries(renamed)) {
    if (set[old] === undefined) continue;
    const ignored = set[name] !== undefined;
    if (ignored && set[name] === set[old]) continue;
    set[name] ??= set[old];
    const reason = ignored ? `is ignored: ${name} is set too` : `is deprecated: write ${name} instead`;
    warnings.push(noticeAt(null, old, reason));
  }
  return warnings;
};

/** Replaces old variables by the settings that their values are today, which win: they switch off. Modifies `set`. */
const rewrite = (set: Record<string, string | undefined>) => {
  const warnings: Problem[] = [];
  const problems: Problem[] = [];
  for (const [old, settings] of Object.entries(rewritten)) {
    const value = set[old];
    if (value === undefined) continue;
    const setting = Object.hasOwn(settings, value) ? settings[value] : undefined;
    if (setting === undefined)
      problems.push(
        ofVariable(old, `cannot be ${JSON.stringify(value)}: ${Object.keys(settings).join(', ')} expected`),
      );
    else if (setting === null)
      warnings.push(noticeAt(null, `${old}=${value}`, 'is not read: it is the default'));
    else {
      set[setting[0]] = setting[1];
      warnings.push(noticeAt(null, old, `is deprecated: write ${setting.join('=')} instead`));
    }
  }
  return { warnings, problems };
};

const unread = (names: readonly string[]): readonly Problem[] =>
  names
    .filter((name): name is keyof typeof withoutMeaning => Object.hasOwn(withoutMeaning, name))
    .filter((name) => !name.startsWith('OTEL_') || !hasTracingSdk())
    .map((name) => noticeAt(null, name, `is not read: ${withoutMeaning[name]}`));

/** The API of OpenTelemetry keeps what an SDK registers under this name in all its versions 1. */
const hasTracingSdk = (): boolean => Symbol.for('opentelemetry.js.api.1') in globalThis;

const known = [variables.shape, renamed, rewritten, withoutMeaning].flatMap((names) => Object.keys(names));
const longNames = known.filter((name) => name.length >= 6);
/** Variables of other programs with similar names to ours. */
const foreign = new Set(['ES_HOME', 'HOST_PORT', 'SERVER_NAME']);

const lookAlikes = (names: readonly string[]): readonly Problem[] =>
  names
    .filter((name) => !known.includes(name) && !foreign.has(name) && name.length >= 6)
    .flatMap((name) => {
      const near = closest(name, longNames);
      if (near?.isSlip !== true) return [];
      return [{ ...noticeAt(null, name, `is unknown: did you mean ${near.name}?`), near: near.name }];
    });

const problemOf = (
  issue: { readonly path: readonly PropertyKey[]; readonly message: string },
  set: Readonly<Record<string, string | undefined>>,
): Problem => {
  const name = String(issue.path[0]);
  const shown = secrets.has(name) ? 'what it holds' : JSON.stringify(set[name]);
  const message = issue.message === 'Invalid input' ? 'a port number or off expected' : issue.message;
  return ofVariable(name, `cannot be ${shown}: ${message}`);
};

const loopback = new Set(['127.0.0.1', 'localhost', '::1']);

const contradictions = (read: Variables): readonly Problem[] => {
  const open = read.INDEXING_PORT !== null && !loopback.has(read.INDEXING_HOST);
  return open && read.INDEXING_TOKEN === undefined
    ? [
        ofVariable(
          'INDEXING_HOST',
          `${JSON.stringify(read.INDEXING_HOST)} is reachable by others: set INDEXING_TOKEN too`,
        ),
      ]
    : [];
};

/**
 * A secret: the value of a variable, or the content of the file that the variable `NAME_FILE` names, without the line
 * break at its end. Files are read each time, so that a secret can be exchanged while the server runs.
 * @returns undefined when neither is set; an empty value counts as unset
 * @throws TributaryError CONFIG_INVALID when both are set, or the file cannot be read; never with what it holds
 */
export const secretIn = (env: Environment, name: string): string | undefined => {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw invalidConfig(`${name} and ${name}_FILE are both set: unset one of them`);
  try {
    return readFileSync(resolve(file), 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (cause) {
    throw invalidConfig(`${name}_FILE names ${JSON.stringify(file)}, which cannot be read`, { cause });
  }
};

/** The files that variables ending in `_FILE` name. */
export const secretFiles = (env: Environment): readonly string[] =>
  Object.entries(env).flatMap(([name, file]) => (name.endsWith('_FILE') && file ? [resolve(file)] : []));
