import { createHash, randomUUID } from 'node:crypto';
import { invalidInput } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { newKeySet } from './key-set.ts';
import { isPlainNumber } from './tables/columns.ts';
import type { Hit } from '../../engines/engine.ts';
import type { ExistingIndex } from '../index-target.ts';
import type { DocumentRecord } from './records/source-record.ts';
import { countOf } from '../../lib/text/plural.ts';

/** The source of a document's key unless a bulk action has one. */
export type IdRule =
  /** The value at this dotted path; a document without it is refused. */
  | { readonly kind: 'field'; readonly path: string }
  /** Derived from line number and content; with a salt, keys differ from those of earlier loads. */
  | { readonly kind: 'generated'; readonly salt?: string };

/** Fields that become the key without being asked for; the last is MongoDB's. */
const defaultFields = ['id', '_id', '_id.$oid'] as const;
/** Search servers refuse longer keys. */
const maxKeyBytes = 512;

/** Why a field that is named like a key is not taken for the key, and the first record that shows it. */
export interface KeyProblem {
  readonly path: string;
  readonly kind: 'missing' | 'repeated' | 'too long';
  readonly value: string | null;
  readonly line: number;
  readonly file: string | undefined;
}

/** The fields that could be the key without being asked for, judged by all records of a load. */
export interface KeySurvey {
  add(record: DocumentRecord): void;
  /** The field with a different value in each record that brings no key; null if there is none. */
  field(): string | null;
  /** Changes whenever the field may have changed. */
  changes(): number;
  /** The problems of the fields that many records have; empty if a field is the key. */
  problems(): readonly KeyProblem[];
}

/** A field that is not taken for the key is only mentioned if at least this share of the records before had it. */
const mentionedShare = 0.5;

/** A survey without any records. Its size grows with the number of keys: 8 bytes for each, up to four times that. */
export const newKeySurvey = (): KeySurvey => {
  let keyless = 0;
  const candidates = defaultFields.map((path) => ({
    path,
    keys: newKeySet(),
    having: 0,
    problem: null as KeyProblem | null,
  }));
  type Candidate = (typeof candidates)[number];
  const problemOf = (
    candidate: Candidate,
    { id, document }: DocumentRecord,
  ): Pick<KeyProblem, 'kind' | 'value'> | null => {
    const value = id ?? scalarAt(document, candidate.path);
    if (value === null) return { kind: 'missing', value };
    if (value.length > maxKeyBytes || Buffer.byteLength(value) > maxKeyBytes)
      return { kind: 'too long', value };
    return candidate.keys.add(value) ? null : { kind: 'repeated', value };
  };
  return {
    add: (record) => {
      if (record.id === null) keyless += 1;
      for (const candidate of candidates) {
        if (record.id === null && scalarAt(record.document, candidate.path) !== null) candidate.having += 1;
        if (candidate.problem !== null) continue;
        const problem = problemOf(candidate, record);
        if (problem === null) continue;
        candidate.problem = { path: candidate.path, ...problem, line: record.line, file: record.file };
        candidate.keys.clear();
      }
    },
    changes: () => candidates.filter(({ problem }) => problem !== null).length,
    field: () => (keyless === 0 ? null : (candidates.find(({ problem }) => problem === null)?.path ?? null)),
    problems: () =>
      candidates.some(({ problem }) => problem === null)
        ? []
        : candidates.flatMap(({ problem, having }) =>
            problem !== null && having > 0 && having >= keyless * mentionedShare ? [problem] : [],
          ),
  };
};

/**
 * The rule for a file: the requested field, else the field that the survey found. A field that nobody requested is not the
 * key if a record would be refused or replaced because of it.
 * @throws TributaryError INPUT_INVALID none of the first documents has the requested field
 */
export const chooseIdRule = (
  sample: readonly DocumentRecord[],
  idField: string | undefined,
  survey: KeySurvey,
): IdRule => {
  if (idField === undefined) {
    const path = survey.field();
    return path === null ? { kind: 'generated' } : { kind: 'field', path };
  }
  const keyless = sample.filter((record) => record.id === null);
  if (keyless.length > 0 && keyless.every((record) => scalarAt(record.document, idField) === null))
    throw invalidInput(
      `none of the first ${countOf(keyless.length, 'document')} has a value in ${idField}, the id field`,
    );
  return { kind: 'field', path: idField };
};

/** Why a field that is named like a key is not the key. */
export const keyProblemText = ({ path, kind, value, line, file }: KeyProblem): string => {
  const where = `${file === undefined ? '' : `${file} `}line ${String(line)}`;
  switch (kind) {
    case 'missing':
      return `${path} is not taken for the key of the records, since some have none (${where})`;
    case 'too long':
      return `${path} is not taken for the key of the records, since it is longer than ${String(maxKeyBytes)} bytes (${where})`;
    case 'repeated':
      return `${path} is not taken for the key of the records, since it repeats (${where}: ${value ?? ''}); with --id-field ${path}, only the last record of each would remain`;
  }
};

/** The document's key by the rule, or null if it has none. */
export const documentId = (record: DocumentRecord, rule: IdRule): string | null => {
  if (record.id !== null) return record.id;
  if (rule.kind === 'field') return scalarAt(record.document, rule.path);
  return createHash('sha256')
    .update(
      `${rule.salt ?? ''}${record.file ?? ''}${String(record.line)}\n${JSON.stringify(record.document)}`,
    )
    .digest('hex')
    .slice(0, 32);
};

/** Whether a key may be generated, as above. */
const isMadeKey = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);

/** `_id` is the key itself, so no document may contain a field of that name. */
export const withoutKeyField = (document: JsonObject): JsonObject => {
  if (!Object.hasOwn(document, '_id')) return document;
  const { _id: _, ...fields } = document;
  return fields;
};

/** The state of the index before a load adds documents to it. */
export interface KeyRequest {
  /** The index that documents are added to; null if it is new or will be replaced. */
  readonly existing: ExistingIndex | null;
  /** Whether records without a key are always new documents. */
  readonly append: boolean;
  /** Why fields that are named like keys are not the key. */
  readonly problems?: readonly KeyProblem[];
}

/**
 * The rule for adding to an index, so that loading a corrected file again never creates duplicates.
 * @throws TributaryError INPUT_INVALID keys would be generated without --append; the keys of the index's documents are not
 *   the values of the field
 */
export const keyRuleFor = (
  sample: readonly DocumentRecord[],
  rule: IdRule,
  { existing, append, problems = [] }: KeyRequest,
): IdRule => {
  if (existing === null || existing.documents === 0 || sample.every(({ id }) => id !== null)) return rule;
  if (append) return rule.kind === 'generated' ? { ...rule, salt: randomUUID() } : rule;
  const { name } = existing;
  if (rule.kind === 'field') {
    const other = existing.sample.find(({ id, source }) => {
      const value = scalarAt(source, rule.path);
      return value === null ? isMadeKey(id) : value !== id;
    });
    if (other === undefined || rule.path === '_id') return rule;
    throw invalidInput(
      `the documents of ${name} have keys that are not the values of ${rule.path} (${scalarAt(other.source, rule.path) ?? 'one without it'} has the key ${other.id}), so the same records would be stored twice: load with --replace, which gives all of them these keys, or with --append`,
    );
  }
  const fields = keyFields(existing.sample, sample);
  throw invalidInput(
    `${problems.length === 0 ? 'the records have no id' : problems.map(keyProblemText).join('; ')}, and ${name} has records already, so a corrected record would be stored twice: load with --id-field FIELD${fields}, with --replace, or with --append if all records are new`,
  );
};

/** The field that is the key of the index's documents, else fields that could be. */
const keyFields = (there: readonly Hit[], sample: readonly DocumentRecord[]): string => {
  const isKey = (path: string): boolean => there.every(({ id, source }) => scalarAt(source, path) === id);
  const [used] = there.slice(0, 1).flatMap(({ source }) => scalarPaths(source, '').filter(isKey));
  if (used !== undefined) return ` (${used}, the key of the documents that are there)`;
  const candidates = keyCandidates(sample);
  return candidates.length === 0
    ? ''
    : ` (${candidates.join(', ')}: a different value in each of ${String(sample.length)} records)`;
};

const namedLikeKeys =
  /(?:^|[^a-z])(?:id|key|code|no|nr|number|num|uuid|guid|accession|identifier|barcode|inv|n[°º]|№)\.?$|I[Dd]$|^[a-z]+id$/i;
const shownCandidates = 3;
const dateLike = /^\d{4}-\d\d-\d\d|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/;
/** With fewer records, values differ by chance. */
const fewRecords = 3;

/** The fields with a different value in each of the documents, those named like keys first. */
export const keyCandidates = (sample: readonly DocumentRecord[]): readonly string[] => {
  if (sample.length === 0) return [];
  const [{ document }] = sample as readonly [DocumentRecord];
  const unique = scalarPaths(document, '').filter((path) => {
    const values = new Set(sample.map((record) => scalarAt(record.document, path)));
    return values.size === sample.length && !values.has(null);
  });
  const isWord = (value: unknown): boolean =>
    typeof value === 'string' && /^\S+$/.test(value) && !isPlainNumber(value) && !dateLike.test(value);
  const areWords = (path: string): boolean =>
    sample.length >= fewRecords && sample.every((record) => isWord(valueAt(record.document, path)));
  const likely = unique.filter((path) => namedLikeKeys.test(path));
  return [...likely, ...unique.filter((path) => !likely.includes(path) && areWords(path))].slice(
    0,
    shownCandidates,
  );
};

const scalarPaths = (object: JsonObject, prefix: string): readonly string[] =>
  Object.entries(object).flatMap(([name, value]) => {
    if (isJsonObject(value)) return scalarPaths(value, `${prefix}${name}.`);
    return typeof value === 'string' || typeof value === 'number' ? [prefix + name] : [];
  });

const valueAt = (document: JsonObject, path: string): unknown => {
  let value: unknown = document;
  for (const segment of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  return value;
};

const scalarAt = (document: JsonObject, path: string): string | null => {
  const value = valueAt(document, path);
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
};
