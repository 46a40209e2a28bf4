import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { auditFiles, lineHash, rulesInEffect, type AuditFile } from './audit-trail.ts';

/** What one file of a trail was found to be. */
export interface VerifiedFile {
  readonly name: string;
  /** The lines of questions. */
  readonly lines: number;
  /** What was altered, or may have been. */
  readonly problems: readonly string[];
  /** What is missing without anybody having altered it. */
  readonly notes: readonly string[];
}

/**
 * Checks every line and file of a trail: whoever has not the key cannot alter, exchange, add or remove a line of a file
 * that was closed, or that another one follows; the last file may lack its end.
 * @param signingKey that of the server which wrote it
 */
export const verifyTrail = (folder: string, signingKey: KeyObject): readonly VerifiedFile[] => {
  const key = createPublicKey(signingKey);
  const files = auditFiles(folder);
  return files.map((file, index) => verifyFile(folder, file, files[index - 1], key));
};

const verifyFile = (
  folder: string,
  { name, number }: AuditFile,
  before: AuditFile | undefined,
  key: KeyObject,
): VerifiedFile => {
  const problems: string[] = [];
  const notes: string[] = [];
  const texts = readFileSync(join(folder, name), 'utf8').split('\n');
  const torn = texts.pop();
  if (torn !== '') notes.push('its last line is incomplete: the process was killed while it wrote it');
  const entries = texts.map(entryOf);
  const [first] = entries;
  if (first?.['event.action'] !== 'opened' || !isSigned(first, key) || first['tributary.number'] !== number)
    problems.push('its first line is not signed by this server');
  else problems.push(...predecessorProblems(folder, first['tributary.predecessor'], number, before, notes));
  texts.forEach((_, at) => {
    if (at > 0 && entries[at]?.['tributary.previous'] !== lineHash(texts[at - 1]!))
      problems.push(`line ${at + 1} does not follow the one before it`);
  });
  const last = entries.at(-1);
  const isClosed = last?.['event.action'] === 'closed';
  if (entries.slice(1, -1).some((entry) => entry?.['event.action'] === 'closed'))
    problems.push('lines follow the one that closes it');
  if (isClosed && (!isSigned(last, key) || last['tributary.lines'] !== texts.length - 1))
    problems.push('its last line is not signed by this server');
  if (!isClosed && torn === '')
    notes.push('it is not closed: it is being written, or the process was killed');
  return { name, lines: texts.length - 1 - (isClosed ? 1 : 0), problems, notes };
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

const predecessorProblems = (
  folder: string,
  named: unknown,
  number: number,
  before: AuditFile | undefined,
  notes: string[],
): readonly string[] => {
  if (named === null)
    return number === 1 && before === undefined ? [] : ['the files before it are not its predecessors'];
  if (!isJsonObject(named)) return ['it does not name the file before it'];
  if (before === undefined) {
    notes.push('the files before it are gone: AUDIT_DAYS is over, or they were removed');
    return [];
  }
  if (before.number !== named['number']) return [`file ${String(named['number'])} before it is missing`];
  const content = readFileSync(join(folder, before.name)).subarray(0, Number(named['bytes']));
  return content.length === named['bytes'] && hash('sha256', content, 'hex') === named['sha256']
    ? []
    : [`${before.name} before it was altered`];
};

/** The questions of a trail and the changes of access rules, oldest first. Lines that cannot be read are left out: `verifyTrail` reports them. */
export function* auditedQuestions(folder: string): Generator<JsonObject> {
  for (const { name } of auditFiles(folder))
    for (const text of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const entry = entryOf(text);
      const isQuestion = entry?.['tributary.catalogue'] !== undefined;
      if (entry !== null && (isQuestion || entry['event.action'] === rulesInEffect)) yield entry;
    }
}
