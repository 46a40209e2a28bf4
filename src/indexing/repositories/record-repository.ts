import { z } from 'zod';
import type { TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { readAhead, walkPages, type Listing, type RowPage } from './walk-pages.ts';
import {
  recordPage,
  recordPages,
  isRecordId,
  nameless,
  shapedBody,
  shapedRecord,
  rowOutcomes,
  type Outcome,
} from './record-page.ts';
import type { RecordPage, Repository, RecordRepositoryConfig } from './repository.ts';
import type { RepositoryAnswer, RepositoryClient } from './repository-client.ts';

const count = z.int().min(0);
const pageAnswer = z.object({
  pagination: z.object({ totalPages: count, totalRecords: count }),
  records: z.array(z.unknown()),
});

/** A record-based (Lyric) repository: the records of one category, compound, by organization. */
export const recordRepository = (config: RecordRepositoryConfig, client: RepositoryClient): Repository => ({
  config,
  fetchAll: (organization, signal) =>
    readAhead((either) => everyRecord(config, client, organization, either), signal),
  fetchOne: async (organization, systemId, signal) => {
    const path = ['data', 'category', config.categoryId, 'id', systemId];
    const answer = await client.get(path, { view: 'compound' }, signal);
    if (isNotThere(answer)) return null;
    if (answer.status !== 200) throw unexpected(config, answer);
    if (!isJsonObject(answer.body) || answer.body['systemId'] !== systemId)
      throw answer.error('answered with something other than this record');
    if (answer.body['organization'] !== organization) return null;
    return recordPage(
      rowOutcomes(answer.body, answer, (one, flawOf) => [
        submittedDocument(config, organization, one, 1, flawOf),
      ]),
      1,
    );
  },
  probe: async (signal) => {
    await fetchRows(config, client, null, { page: 1, pageSize: 1 }, signal, 1);
  },
});

const everyRecord = (
  config: RecordRepositoryConfig,
  client: RepositoryClient,
  organization: string | null,
  signal: AbortSignal,
): AsyncGenerator<RecordPage, void> => {
  const listing: Listing = {
    rowsMayVanish: false,
    idOf: (row) => (isJsonObject(row) ? row['systemId'] : row),
    fetchPage: (page, pageSignal) =>
      fetchRows(config, client, organization, { page: page + 1, pageSize: config.pageSize }, pageSignal),
  };
  return recordPages(walkPages(listing, signal), (row, place, flawOf) => [
    submittedDocument(config, organization, row, place, flawOf),
  ]);
};

/** @returns null when the repository has no records there */
const fetchRows = async (
  config: RecordRepositoryConfig,
  client: RepositoryClient,
  organization: string | null,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
  signal: AbortSignal,
  attempts?: number,
): Promise<RowPage | null> => {
  const scope = organization === null ? [] : ['organization', organization];
  const path = ['data', 'category', config.categoryId, ...scope];
  const answer = await client.get(path, { view: 'compound', pageSize, page }, signal, attempts);
  if (isEmpty(answer)) return null;
  if (answer.status !== 200) throw unexpected(config, answer);
  const expected = '{pagination: {totalPages, totalRecords}, records}';
  const { pagination, records } = shapedBody(pageAnswer, answer, expected);
  return {
    ...answer,
    rows: records,
    total: pagination.totalRecords,
    isLast: records.length === 0 || page >= pagination.totalPages,
  };
};

const messageOf = ({ body }: RepositoryAnswer): string =>
  isJsonObject(body) && typeof body['message'] === 'string' ? body['message'] : '';

/** A listing without records is a 404 with this message; with another message, the category or the address is unknown. */
const isEmpty = (answer: RepositoryAnswer): boolean =>
  answer.status === 404 && /^no submitted data found/i.test(messageOf(answer));

/** Whether the record does not exist, or is in another category. */
const isNotThere = (answer: RepositoryAnswer): boolean =>
  isEmpty(answer) ||
  ((answer.status === 404 || answer.status === 400) &&
    /^invalid category id .* for system id/i.test(messageOf(answer)));

const unexpected = (config: RecordRepositoryConfig, answer: RepositoryAnswer): TributaryError => {
  const noCategory = answer.status === 404 && /categor/i.test(messageOf(answer));
  return answer.error(
    noCategory
      ? `says that there is no category ${JSON.stringify(config.categoryId)}: the id of one of its categories expected`
      : `answered HTTP ${answer.status}; JSON with status 200 expected: is this the repository's base URL?`,
  );
};

/**
 * The document of one submitted record: the record with its envelope, as received.
 * @param organization the requested one; null: all
 * @param record untrusted
 * @param row its place in the listing, from 1
 * @param flawOf why a record cannot be loaded unchanged, or null
 */
export const submittedDocument = (
  config: RecordRepositoryConfig,
  organization: string | null,
  record: unknown,
  row: number,
  flawOf: RowPage['flawOf'] = () => null,
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
  const flaw = flawOf(record);
  if (flaw !== null) return failed(systemId, flaw);
  return shapedRecord(config, {
    documentId: systemId,
    recordId: systemId,
    organization: owner,
    document: record,
  });
};
