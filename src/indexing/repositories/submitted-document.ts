import { isJsonObject } from '../../json/json.ts';
import type { Outcome } from './record-page.ts';
import { isRecordId, nameless, shapedRecord } from './record-page.ts';
import type { RecordRepositoryConfig } from './repository-config.ts';

/**
 * The document of one submitted record: the record with its envelope, as it comes.
 * @param organization the one asked for; null when every one was
 * @param record untrusted
 * @param row its place in the listing, from 1
 */
export const submittedDocument = (
  config: RecordRepositoryConfig,
  organization: string | null,
  record: unknown,
  row: number,
): Outcome => {
  const nobody = nameless(row, organization ?? `category ${config.categoryId}`);
  if (!isJsonObject(record)) return { kind: 'failed', recordId: nobody, reason: 'it is not an object' };
  const { systemId, organization: owner, isValid } = record;
  const failed = (recordId: string, reason: string): Outcome => ({ kind: 'failed', recordId, reason });
  if (!isRecordId(systemId)) return failed(nobody, 'its systemId is not a non-empty string');
  if (!isRecordId(owner)) return failed(systemId, 'its organization is not a non-empty string');
  if (organization !== null && owner !== organization)
    return failed(systemId, `it belongs to another organization than ${organization}`);
  if (config.validOnly && isValid !== true)
    return { kind: 'skipped', recordId: systemId, reason: 'the repository calls it invalid' };
  return shapedRecord(config, {
    documentId: systemId,
    recordId: systemId,
    organization: owner,
    document: record,
  });
};
