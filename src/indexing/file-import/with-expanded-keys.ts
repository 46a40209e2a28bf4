import { expandedKeys, keyProblemIn, type IsOpaque } from '../../introspection/mapping/expanded-keys.ts';
import type { SourceRecord } from './records/source-record.ts';
import { badRecord } from './records/source-record.ts';

/** Expands dotted keys of documents into objects; a document with a key that cannot be a field is bad. */
export const withExpandedKeys = async function* (
  records: AsyncIterable<SourceRecord>,
  isOpaque: IsOpaque,
): AsyncGenerator<SourceRecord> {
  for await (const record of records)
    yield record.kind === 'document' ? expandedRecord(record, isOpaque) : record;
};

const expandedRecord = (
  record: Extract<SourceRecord, { kind: 'document' }>,
  isOpaque: IsOpaque,
): SourceRecord => {
  const problem = keyProblemIn(record.document, isOpaque);
  if (problem !== null) return badRecord(record.line, problem, JSON.stringify(record.document));
  const document = expandedKeys(record.document, isOpaque);
  if (document === record.document) return record;
  return { ...record, document, rounded: record.rounded && expandedKeys(record.rounded, isOpaque) };
};
