import { z } from 'zod';
import type { TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
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
import type { RecordPage, Repository, StudyRepositoryConfig } from './repository.ts';
import type { RepositoryAnswer, RepositoryClient } from './repository-client.ts';

const studiesAnswer = z.array(z.string());
const pageAnswer = z.object({ analyses: z.array(z.unknown()), totalAnalyses: z.int().min(0) });

/**
 * A study-based (SONG) repository. It pages by rows: offset and total count rows that may be missing in every page, so
 * only offset, limit and total show the end.
 */
export const studyRepository = (config: StudyRepositoryConfig, client: RepositoryClient): Repository => ({
  config,
  fetchAll: (organization, signal) =>
    readAhead(
      (either) =>
        organization === null
          ? everyStudy(config, client, either)
          : oneStudy(config, client, organization, either),
      signal,
    ),
  fetchOne: async (studyId, analysisId, signal) => {
    const answer = await client.get(['studies', studyId, 'analysis', analysisId], {}, signal);
    if (isUnknownAnalysis(answer)) return null;
    rejectStatus(answer, studyId);
    if (!isJsonObject(answer.body) || answer.body['analysisId'] !== analysisId)
      throw answer.error('answered with something other than this analysis');
    if ((answer.body['studyId'] ?? studyId) !== studyId) return null;
    return recordPage(
      rowOutcomes(answer.body, answer, (one, flawOf) => analysisDocuments(config, studyId, one, 1, flawOf)),
      1,
    );
  },
  probe: async (signal) => {
    await studies(client, signal, 1);
  },
});

async function* everyStudy(
  config: StudyRepositoryConfig,
  client: RepositoryClient,
  signal: AbortSignal,
): AsyncGenerator<RecordPage, void> {
  for (const studyId of await studies(client, signal))
    for await (const page of oneStudy(config, client, studyId, signal)) yield { ...page, total: null };
}

const oneStudy = (
  config: StudyRepositoryConfig,
  client: RepositoryClient,
  studyId: string,
  signal: AbortSignal,
): AsyncGenerator<RecordPage, void> =>
  recordPages(walkPages(analysesOf(config, client, studyId), signal), (row, place, flawOf) =>
    analysisDocuments(config, studyId, row, place, flawOf),
  );

const analysesOf = (config: StudyRepositoryConfig, client: RepositoryClient, studyId: string): Listing => ({
  rowsMayVanish: true,
  idOf: (row) => (isJsonObject(row) ? row['analysisId'] : row),
  fetchPage: async (page, signal): Promise<RowPage> => {
    const limit = config.pageSize;
    const offset = page * limit;
    const analysisStates = config.indexableStates.join(',');
    const path = ['studies', studyId, 'analysis', 'paginated'];
    const answer = await client.get(path, { limit, offset, analysisStates }, signal);
    rejectStatus(answer, studyId);
    const { analyses, totalAnalyses } = shapedBody(pageAnswer, answer, '{analyses, totalAnalyses}');
    // an empty answer removes all indexed records, so it is verified
    if (totalAnalyses === 0 && !(await studies(client, signal)).includes(studyId))
      throw unknownStudy(answer, studyId);
    const isLast = offset + limit >= totalAnalyses;
    return { ...answer, rows: analyses, total: totalAnalyses, isLast };
  },
});

const studies = async (
  client: RepositoryClient,
  signal: AbortSignal,
  attempts?: number,
): Promise<readonly string[]> => {
  const answer = await client.get(['studies', 'all'], {}, signal, attempts);
  if (answer.status !== 200) throw unexpected(answer);
  return [...new Set(shapedBody(studiesAnswer, answer, 'a list of study names'))];
};

/** The error's id names what was not found; other 404s come from an address outside of the repository. */
const errorIdOf = ({ body }: RepositoryAnswer): string =>
  isJsonObject(body) && typeof body['errorId'] === 'string' ? body['errorId'] : '';

const isUnknownAnalysis = (answer: RepositoryAnswer): boolean =>
  (answer.status === 404 && errorIdOf(answer).startsWith('analysis.')) ||
  (answer.status === 400 && errorIdOf(answer) === 'entity.not.related.to.study');

const rejectStatus = (answer: RepositoryAnswer, studyId: string): void => {
  if (answer.status === 404 && errorIdOf(answer).startsWith('study.')) throw unknownStudy(answer, studyId);
  if (answer.status !== 200) throw unexpected(answer);
};

const unknownStudy = (answer: RepositoryAnswer, studyId: string): TributaryError =>
  answer.error(`says that there is no study ${JSON.stringify(studyId)}: one of its studies expected`);

const unexpected = (answer: RepositoryAnswer): TributaryError =>
  answer.error(
    `answered HTTP ${answer.status}; JSON with status 200 expected: is this the repository's base URL?`,
  );

/**
 * The documents of one analysis: itself, or one for each of its files.
 * @param analysis untrusted
 * @param row its place in the study, from 1
 * @param flawOf why an analysis cannot be loaded unchanged, or null
 */
export const analysisDocuments = (
  config: StudyRepositoryConfig,
  studyId: string,
  analysis: unknown,
  row: number,
  flawOf: RowPage['flawOf'] = () => null,
): readonly Outcome[] => {
  const fail = (recordId: string, reason: string): Outcome[] => [{ kind: 'failed', recordId, reason }];
  if (!isJsonObject(analysis)) return fail(nameless(row, studyId), 'it is not an object');
  const { analysisId, analysisState } = analysis;
  if (!isRecordId(analysisId))
    return fail(nameless(row, studyId), 'its analysisId is not a non-empty string');
  if (analysis['studyId'] !== undefined && analysis['studyId'] !== studyId)
    return fail(analysisId, `it belongs to another study than ${studyId}`);
  if (typeof analysisState !== 'string' || !config.indexableStates.includes(analysisState))
    return [{ kind: 'skipped', recordId: analysisId, reason: stateReason(config, analysisState) }];
  const flaw = flawOf(analysis);
  if (flaw !== null) return fail(analysisId, flaw);
  switch (config.documents) {
    case 'analysis':
      return [
        shapedRecord(config, {
          documentId: analysisId,
          recordId: analysisId,
          organization: studyId,
          document: analysis,
        }),
      ];
    case 'file':
      return fileDocuments(config, studyId, analysisId, analysis);
  }
};

const stateReason = (config: StudyRepositoryConfig, state: unknown): string => {
  const found = typeof state === 'string' ? state : 'unknown';
  return `its state is ${found}, and ${config.indexableStates.join(', ')} is indexed`;
};

const fileDocuments = (
  config: StudyRepositoryConfig,
  studyId: string,
  analysisId: string,
  analysis: JsonObject,
): readonly Outcome[] => {
  const { files, ...rest } = analysis;
  if (files === undefined || files === null || (Array.isArray(files) && files.length === 0))
    return [{ kind: 'skipped', recordId: analysisId, reason: 'it has no files' }];
  if (!Array.isArray(files))
    return [{ kind: 'failed', recordId: analysisId, reason: 'its files are not a list' }];
  return files.map((file: unknown, at) => {
    const fail = (reason: string): Outcome => ({ kind: 'failed', recordId: analysisId, reason });
    if (!isJsonObject(file)) return fail(`its file ${at + 1} is not an object`);
    if (!isRecordId(file['objectId']))
      return fail(`the objectId of its file ${at + 1} is not a non-empty string`);
    if (Object.hasOwn(file, 'analysis'))
      return fail(`its file ${at + 1} has a member analysis, where the analysis goes`);
    return shapedRecord(config, {
      documentId: file['objectId'],
      recordId: analysisId,
      organization: studyId,
      document: { ...file, analysis: rest },
    });
  });
};
