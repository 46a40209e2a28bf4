import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { auditFiles, type AuditFile, type TrailKeys } from './audit-file.ts';

/** The findings about one file of a trail. */
export interface VerifiedFile {
  readonly name: string;
  /** The number of queries and releases in it. */
  readonly lines: number;
  /** What was altered, or may have been. */
  readonly problems: readonly string[];
  /** What is missing without any alteration. */
  readonly notes: readonly string[];
}

/** The keys and settings for verifying the files of a trail. */
export interface VerifySettings extends TrailKeys {
  /** The number of days that files are kept. */
  readonly days: number;
  readonly nowMs?: () => number;
}

/**
 * Checks every line and file of a trail: without the keys, no line can be altered, exchanged, added or removed, nor can a
 * file within its retention be removed. The end of a file that was not closed can be cut off, unless another one follows,
 * and so can the newest files as a whole.
 * @param settings includes the keys of the server that wrote it
 */
export const verifyTrail = (folder: string, settings: VerifySettings): readonly VerifiedFile[] => {
  const files = auditFiles(folder);
  const checks = { ...settings, folder, publicKey: createPublicKey(settings.signingKey) };
  return files.map((file, index) => {
    try {
      return verifyFile(file, files[index - 1], { ...checks, isFollowed: index < files.length - 1 });
    } catch (error) {
      const problem = `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      return { name: file.name, lines: 0, problems: [problem], notes: [] };
    }
  });
};

interface Checks extends VerifySettings {
  readonly folder: string;
  readonly publicKey: KeyObject;
}

interface FileChecks extends Checks {
  /** Whether a later file names the hash of this one. */
  readonly isFollowed: boolean;
}

const verifyFile = (file: AuditFile, before: AuditFile | undefined, checks: FileChecks): VerifiedFile => {
  const { name, number } = file;
  const { folder, publicKey } = checks;
  const problems: string[] = [];
  const notes: string[] = [];
  const texts = readFileSync(join(folder, name), 'utf8').split('\n');
  const isTorn = texts.pop() !== '';
  if (isTorn)
    notes.push('its last line is incomplete: the process was killed while it wrote it, or the disk was full');
  const entries = texts.map(entryOf);
  const [first] = entries;
  if (first === undefined) notes.push('it is empty: the process was killed when it began it');
  else if (
    first?.['event.action'] !== 'opened' ||
    !isSigned(first, publicKey) ||
    first['tributary.number'] !== number
  )
    problems.push('its first line is not signed by this server');
  else {
    const found = predecessorProblem(first['tributary.predecessor'], number, before, checks);
    if (found !== null) (found.isNote ? notes : problems).push(found.text);
  }
  const last = entries.at(-1);
  const isClosed = last?.['event.action'] === 'closed';
  const isSealed = checks.isFollowed || (isClosed && isSigned(last, publicKey));
  const link = linkOf(entries, isSealed, checks);
  texts.forEach((_, at) => {
    if (at > 0 && entries[at]?.['tributary.previous'] !== link(texts[at - 1]!))
      problems.push(`line ${at + 1} does not follow the one before it`);
  });
  if (entries.slice(1, -1).some((entry) => entry?.['event.action'] === 'closed'))
    problems.push('lines follow the one that closes it');
  if (isClosed && (!isSigned(last, publicKey) || last['tributary.lines'] !== texts.length - 1))
    problems.push('its last line is not signed by this server');
  if (first !== undefined && !isClosed && !isTorn)
    notes.push('it is not closed: it is being written, or the process was killed');
  return { name, lines: entries.filter(isQuestion).length, problems, notes };
};

/**
 * The link of a line to the one before it: its MAC. Version 0.1 wrote plain hashes, which also hold in a file that a
 * signature covers as a whole, at its end or in the next file.
 */
const linkOf = (
  entries: readonly (JsonObject | null)[],
  isSealed: boolean,
  { lineMac }: TrailKeys,
): ((line: string) => string) => {
  const isPlain = entries
    .slice(1)
    .every((entry) => /^[0-9a-f]{64}$/.test(String(entry?.['tributary.previous'])));
  return isSealed && isPlain ? (line) => hash('sha256', line, 'hex') : lineMac;
};

const entryOf = (text: string): JsonObject | null => {
  try {
    const entry: unknown = JSON.parse(text);
    return isJsonObject(entry) && JSON.stringify(entry) === text ? entry : null;
  } catch {
    return null;
  }
};

const isSigned = (entry: JsonObject, key: KeyObject): boolean => {
  const { 'tributary.signature': signature, ...signed } = entry;
  return (
    typeof signature === 'string' &&
    verify(null, Buffer.from(JSON.stringify(signed)), key, Buffer.from(signature, 'base64url'))
  );
};

interface Finding {
  readonly text: string;
  /** Whether this can occur without any alteration. */
  readonly isNote: boolean;
}

const problem = (text: string): Finding => ({ text, isNote: false });

const predecessorProblem = (
  named: unknown,
  number: number,
  before: AuditFile | undefined,
  { folder, days, nowMs = Date.now }: Checks,
): Finding | null => {
  if (named === null)
    return number === 1 && before === undefined
      ? null
      : problem('the files before it are not its predecessors');
  if (!isJsonObject(named)) return problem('it does not name the file before it');
  const missing = `file ${String(named['number'])} before it is missing`;
  if (before === undefined) {
    const isKept = Date.parse(String(named['until'])) >= nowMs() - days * 86_400_000;
    return isKept
      ? problem(`${missing}, although AUDIT_DAYS are not over`)
      : { text: `${missing}: AUDIT_DAYS are over`, isNote: true };
  }
  if (before.number !== named['number']) return problem(missing);
  // a file that could not be read then, and is reported as such
  if (named['bytes'] === 0) return null;
  const content = readFileSync(join(folder, before.name)).subarray(0, Number(named['bytes']));
  return content.length === named['bytes'] && hash('sha256', content, 'hex') === named['sha256']
    ? null
    : problem(`${before.name} before it was altered`);
};

const isQuestion = (entry: JsonObject | null): boolean =>
  entry !== null && !['opened', 'closed'].includes(String(entry['event.action']));

/**
 * The queries, releases and access rule changes of a trail, oldest first. Lines that cannot be read are left out:
 * `verifyTrail` reports them.
 */
export function* auditedQuestions(folder: string): Generator<JsonObject> {
  for (const { name } of auditFiles(folder))
    for (const text of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const entry = entryOf(text);
      if (entry !== null && isQuestion(entry)) yield entry;
    }
}
