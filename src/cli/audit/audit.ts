import { countOf, plural } from '../../lib/text/plural.ts';
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { trailKeys } from '../../capabilities/audit/audit-trail.ts';
import { auditedQuestions, verifyTrail } from '../../capabilities/audit/verify-trail.ts';
import { loadSettings } from '../../server/config/load.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { serverKey } from '../../lib/runtime/server-key.ts';
import { escapedText } from '../../lib/text/escaped-text.ts';
import { parseCommandLine, runCommand, wrongCommandLine, type Command } from '../terminal/command-line.ts';

/**
 * The command `tributary audit`: shows who queried what, or verifies that nobody altered the trail.
 * @returns the exit code: 0; 1 when `verify` found something; 2 for an invalid command line
 */
export const runAudit: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'audit',
    about: aboutAudit,
    rows: options,
    exit: '0, 1 when verify found something or the trail cannot be read',
    optionsOf: auditOptions,
    work: async (options) => {
      const settings = loadSettings(env);
      const { folder, days } = settings.audit;
      if (!existsSync(folder))
        throw new TributaryError('NOT_FOUND', `there is no audit trail at ${folder}: see AUDIT`);
      if (!options.verify) return listQuestions(folder, options);
      const log = pino({ level: 'silent' });
      const key = serverKey(settings.serverKeyPath, settings.dataPath, log);
      const files = verifyTrail(folder, { ...trailKeys(key), days });
      for (const { name, lines, problems, notes } of files) {
        console.log(
          `${name}: ${String(lines)} ${plural(lines, 'entry', 'entries')}${problems.length === 0 ? '' : ', altered'}`,
        );
        for (const line of [...problems, ...notes]) console.log(`  ${line}`);
      }
      return files.every(({ problems }) => problems.length === 0) ? 0 : 1;
    },
  });

interface AuditOptions {
  readonly verify: boolean;
  readonly json: boolean;
  /** The first time shown, in ISO 8601; other options are parts that an entry must contain. */
  readonly since: string | undefined;
  readonly who: string | undefined;
  readonly catalogue: string | undefined;
  readonly door: string | undefined;
}

const listQuestions = (folder: string, { json, since, who, catalogue, door }: AuditOptions): number => {
  const from = since === undefined ? '' : new Date(since).toISOString();
  for (const entry of auditedQuestions(folder)) {
    const wanted =
      String(entry['@timestamp']) >= from &&
      (who === undefined || (isQuestion(entry) && whoOf(entry).includes(who))) &&
      (catalogue === undefined || entry['tributary.catalogue'] === catalogue) &&
      (door === undefined || entry['tributary.door'] === door);
    if (wanted) console.log(json ? JSON.stringify(entry) : escapedText(lineOf(entry)));
  }
  return 0;
};

const whoOf = (entry: JsonObject): string => {
  const hub = entry['tributary.hub'] === undefined ? '' : ` through ${String(entry['tributary.hub'])}`;
  const { 'user.id': id, 'user.issuer': issuer } = entry;
  if (entry['event.action'] === 'release') return operatorOf(entry);
  return (
    (id === undefined
      ? `anonymous (${String(entry['client.class'])})`
      : `${String(id)} of ${String(issuer)}`) + hub
  );
};

const operatorOf = ({ 'user.name': name }: JsonObject): string =>
  name === undefined ? 'this server' : `the user ${String(name)} of this machine`;

const isQuestion = (entry: JsonObject): boolean =>
  (entry['tributary.catalogue'] ?? entry['tributary.network']) !== undefined;

const lineOf = (entry: JsonObject): string => {
  if (isQuestion(entry)) return questionLine(entry);
  const about = [entry['file.path'], entry['file.hash.sha256'], entry['tributary.lost']];
  return [entry['@timestamp'], entry['event.action'], ...about.filter((one) => one !== undefined)].join('  ');
};

const questionLine = (entry: JsonObject): string => {
  const nodes = Array.isArray(entry['tributary.nodes']) ? entry['tributary.nodes'] : [];
  return [
    entry['@timestamp'],
    whoOf(entry),
    entry['tributary.catalogue'] ?? `network ${String(entry['tributary.network'])}`,
    entry['tributary.tier'] ?? '-',
    entry['tributary.door'],
    entry['event.action'],
    entry['error.code'] ?? entry['tributary.release_outcome'] ?? 'ok',
    ...(entry['event.action'] === 'release'
      ? [entry['tributary.release_date'] ?? '-', entry['tributary.release'] ?? '-']
      : [countOf(Number(entry['tributary.rows']), 'row'), String(entry['tributary.query']).slice(0, 60)]),
    ...nodes.filter(isJsonObject).map(({ id, state }) => `${String(id)}: ${String(state)}`),
  ].join('  ');
};

const options = {
  '--since TIME': 'from then on, in ISO 8601: 2026-11-01',
  '--who TEXT': 'only of callers whose name, issuer or network contains the text',
  '--catalogue ID': 'only of this catalogue',
  '--door DOOR': 'graphql, download, network graphql or network download; of releases, command or schedule',
  '--json': 'the lines as they are stored',
  verify: "whether a line or a file was altered, added or removed; that takes the server's key",
};

const aboutAudit = `
Prints which questions reached a catalogue or a network: when, whose, of which catalogue, in which tier, through which
door, what for, with what outcome, how many rows were sent, the filter as a MAC, and
which nodes a network queried; which releases were published, refused and withdrawn, and by whom; and when which access
rules took effect.`;

/** @throws TributaryError INPUT_INVALID */
const auditOptions = (argv: readonly string[]): AuditOptions => {
  const { values, positionals } = parseCommandLine(argv, options);
  const [command, ...more] = positionals;
  if ((command !== undefined && command !== 'verify') || more.length > 0)
    throw wrongCommandLine(`unknown argument ${command === 'verify' ? more[0] : command}: verify expected`);
  if (values.since !== undefined && Number.isNaN(Date.parse(values.since)))
    throw wrongCommandLine(`--since ${values.since} is not a time: 2026-11-01 expected`);
  const { since, who, catalogue, door, json } = values;
  return { verify: command === 'verify', json, since, who, catalogue, door };
};
