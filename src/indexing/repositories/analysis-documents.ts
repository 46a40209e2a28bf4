import type { JsonObject } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { Outcome } from './record-page.ts';
import { isRecordId, nameless, shapedRecord } from './record-page.ts';
import type { StudyRepositoryConfig } from './repository-config.ts';

/**
 * The documents of one analysis: itself, or one for each of its files.
 * @param analysis untrusted
 * @param row its place in the study, from 1
 */
export const analysisDocuments = (
  config: StudyRepositoryConfig,
  studyId: string,
  analysis: unknown,
  row: number,
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
