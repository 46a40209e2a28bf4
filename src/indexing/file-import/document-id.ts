import { createHash, randomUUID } from 'node:crypto';
import { invalidInput } from '../../errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.ts';
import { isPlainNumber } from './tables/columns.ts';
import type { Hit } from '../../engines/engine.ts';
import type { ExistingIndex } from '../index-target.ts';
import type { DocumentRecord } from './records/source-record.ts';

/** The source of a document's key unless a bulk action has one. */
export type IdRule =
  /** The value at this dotted path; a document without it is refused. */
  | { readonly kind: 'field'; readonly path: string }
  /** Derived from line number and content; with a salt, keys differ from those of earlier loads. */
  | { readonly kind: 'generated'; readonly salt?: string };

/** Fields used as the key if at least half of the sampled documents have one, the most frequent; the last is MongoDB's. */
const defaultFields = ['id', '_id', '_id.$oid'] as const;

/**
 * The rule for a file, from its first documents: the requested field, else `id` or `_id` if at least half of them have
 * it. Documents without it are then refused, since a generated key would change with the content.
 * @throws TributaryError INPUT_INVALID none of the first documents has the requested field
 */
export const chooseIdRule = (sample: readonly DocumentRecord[], idField: string | undefined): IdRule => {
  const keyless = sample.filter((record) => record.id === null);
  if (idField !== undefined) {
    if (keyless.length > 0 && keyless.every((record) => scalarAt(record.document, idField) === null))
      throw invalidInput(
        `none of the first ${String(keyless.length)} documents has a value in ${idField}, the id field`,
      );
    return { kind: 'field', path: idField };
  }
  const having = (field: string): number =>
    keyless.filter((record) => scalarAt(record.document, field) !== null).length;
  const path = defaultFields.reduce((best, other) => (having(other) > having(best) ? other : best));
  return having(path) * 2 < keyless.length || keyless.length === 0
    ? { kind: 'generated' }
    : { kind: 'field', path };
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

/** `_id` is the key itself, so no document may contain a field of that name. */
export const withoutKeyField = (document: JsonObject): JsonObject => {
  if (!Object.hasOwn(document, '_id')) return document;
  const kept: Record<string, JsonValue | undefined> = { ...document };
  delete kept['_id'];
  return kept;
};

/** The state of the index before a load adds documents to it. */
export interface KeyRequest {
  /** The index that documents are added to; null if it is new or will be replaced. */
  readonly existing: ExistingIndex | null;
  /** Whether records without a key are always new documents. */
  readonly append: boolean;
}

/**
 * The rule for adding to an index, so that loading a corrected file again never creates duplicates.
 * @throws TributaryError INPUT_INVALID keys would be generated without --append; the keys of the index's documents are not
 *   the values of the field
 */
export const keyRuleFor = (
  sample: readonly DocumentRecord[],
  rule: IdRule,
  { existing, append }: KeyRequest,
): IdRule => {
  if (existing === null || existing.documents === 0 || sample.every(({ id }) => id !== null)) return rule;
  if (append) return rule.kind === 'generated' ? { ...rule, salt: randomUUID() } : rule;
  const { name } = existing;
  if (rule.kind === 'field') {
    const other = existing.sample.find(
      ({ id, source }) => scalarAt(source, rule.path) !== null && scalarAt(source, rule.path) !== id,
    );
    if (other === undefined || rule.path === '_id') return rule;
    throw invalidInput(
      `the documents of ${name} have keys that are not the values of ${rule.path} (${scalarAt(other.source, rule.path) ?? ''} has the key ${other.id}), so the same records would be stored twice: load with --replace, which gives all of them these keys, or with --append`,
    );
  }
  const fields = keyFields(existing.sample, sample);
  throw invalidInput(
    `the records have no id, and ${name} has documents already, so a corrected record would be stored twice: load with --id-field FIELD${fields}, with --replace, or with --append if all records are new`,
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
