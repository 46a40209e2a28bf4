import { asTributaryError } from '../../errors/errors.ts';
import type { JsonObject } from '../../json/json.ts';
import type { RecordPage, RepositoryRecord } from './repository.ts';
import type { RepositoryConfig } from './repository-config.ts';
import { shapeDocument } from './shape-document.ts';

/** What became of one document of a page. */
export type Outcome =
  | { readonly kind: 'record'; readonly record: RepositoryRecord }
  | { readonly kind: 'skipped' | 'failed'; readonly recordId: string; readonly reason: string };

/** The outcomes of a page, by kind. */
export const recordPage = (outcomes: readonly Outcome[], total: number | null): RecordPage => {
  const of = (kind: 'skipped' | 'failed') =>
    outcomes.flatMap((one) => (one.kind === kind ? [{ recordId: one.recordId, reason: one.reason }] : []));
  return {
    records: outcomes.flatMap((one) => (one.kind === 'record' ? [one.record] : [])),
    skipped: of('skipped'),
    failed: of('failed'),
    total,
  };
};

/** A document to write as the repository's configuration shapes it, unless it is excluded or cannot be shaped. */
export const shapedRecord = (config: RepositoryConfig, record: RepositoryRecord): Outcome => {
  const { documentId, recordId } = record;
  if (config.exclude.includes(documentId))
    return { kind: 'skipped', recordId, reason: `${documentId} is excluded by the configuration` };
  let document: JsonObject;
  try {
    document = shapeDocument(record.document, config.map);
  } catch (error) {
    const { code, message } = asTributaryError(error);
    if (code !== 'INPUT_INVALID') throw error;
    return { kind: 'failed', recordId, reason: message };
  }
  return { kind: 'record', record: { ...record, document } };
};

/** The name of a record without a usable id: its place, so that it can be found. */
export const nameless = (row: number, organization: string): string => `(row ${row} of ${organization})`;

/** Ids are non-empty strings; anything else would make two records one, or none. */
export const isRecordId = (value: unknown): value is string => typeof value === 'string' && value !== '';
