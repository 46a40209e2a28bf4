import { isDeepStrictEqual } from 'node:util';
import type { IndexDescription } from '../../engines/engine.ts';
import { opaqueIn } from '../../introspection/mapping/expanded-keys.ts';
import { invalidInput, TributaryError } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { mappingType } from '../mapping-body.ts';
import { convertDocuments, expandKeys, withSteps } from './convert-documents.ts';
import type { ExistingIndex } from '../index-target.ts';
import { filesRecords, UnreadFile, type FilesRequest } from './read-files.ts';
import { foreignNotice, latinNames } from './foreign-names.ts';
import { isTableFormat } from './records/detect-format.ts';
import {
  chooseIdRule,
  keyCandidates,
  keyProblemText,
  keyRuleFor,
  type IdRule,
  type KeyProblem,
} from './document-id.ts';
import type { Evidence } from './inference/field-evidence.ts';
import { newSurvey, type Survey } from './inference/survey.ts';
import { givenMapping, plannedMapping, type MappingRequest, type PlannedMapping } from './planned-mapping.ts';
import { keptForReread, type TwiceReadable } from './records/reread.ts';
import type { ReadingOptions, DocumentRecord, SourceRecord, TableColumn } from './records/source-record.ts';
import { plainReading } from './records/source-record.ts';

/** The file to read, and the known properties of its destination. */
export interface PlanRequest extends FilesRequest, MappingRequest {
  readonly chunks: AsyncIterable<Buffer>;
  /** Opens the same bytes again; if absent, they are kept while they are read. */
  readonly reread?: (() => AsyncIterable<Buffer>) | undefined;
  /** The dotted path of the field with the documents' keys. */
  readonly idField: string | undefined;
  /** Whether records without a key are added as new documents. */
  readonly append?: boolean | undefined;
  readonly reading?: ReadingOptions | undefined;
}

/** The plan for loading a file, made from its records. */
export interface ImportPlan extends PlannedMapping {
  readonly records: AsyncIterable<SourceRecord>;
  /** The first documents. */
  readonly documents: readonly DocumentRecord[];
  readonly idRule: IdRule;
  /** Fields that could be the key instead of a generated one. */
  readonly keyCandidates: readonly string[];
  readonly evidence: Evidence;
  /** The columns of a table; null for documents. */
  readonly columns: readonly string[] | null;
  /** The columns of a table with their names in its header; for documents, the fields that were renamed. */
  readonly header: readonly TableColumn[];
  /** Whether the evidence covers the whole file. */
  readonly complete: boolean;
  /**
   * Whether the types are those of the first records. The evidence then grows with the records that are read: reading ends
   * with `Widened` if a later record needs other types or keys.
   */
  readonly isProvisional: boolean;
  /** To be called when the records have been read. */
  release(): Promise<void>;
  /** What the reader decided or changed, a sentence each; grows until the last record is read. */
  readonly notices: readonly string[];
}

/**
 * Decides how a file's documents get keys and types. If types are inferred, the file is first read to its end, in bounded
 * memory, so that each field gets a type that accepts all of its values, and `records` reads it again.
 * @param mayBeginAgain whether the plan may be provisional: made from the sample alone
 * @param onSurveyed called for each record that is read for this only
 * @throws TributaryError an unreadable file, an id field or field with a requested type that no document has, names
 *   that GraphQL cannot distinguish
 */
export const planImport = async (
  request: PlanRequest,
  existing: ExistingIndex | null,
  mayBeginAgain = false,
  onSurveyed: () => void = () => undefined,
): Promise<ImportPlan> => {
  const start = await begin(request, existing);
  const { sample, first, survey, isTable, mapped, source, heard } = start;
  // a column may have another type in each file
  const isSeveral = (request.others?.length ?? 0) > 0;
  const isMapped = ({ field }: TableColumn): boolean =>
    mappingType(mapped ?? {}, field) !== null || start.types.has(field);
  const areTypesSettled = !start.dynamic || (!isSeveral && heard.columns?.every(isMapped) === true);
  // a later record may lack the key that nobody asked for, or repeat it
  const isSettled = areTypesSettled && (request.idField !== undefined || survey.keys.field() === null);
  if ((sample.complete && !isSeveral) || isSettled)
    return concluded(start, { records: () => replay(sample, first), complete: sample.complete });
  const reread = (properties: JsonObject) =>
    start.open(source.reread(), isTable ? properties : mapped, start.requested);
  const whole = (): ImportPlan => concluded(start, { records: reread, complete: true });
  if (mayBeginAgain && !isSeveral && hasDates(start)) {
    const records = () => watched(sample, first, survey, { whole, onSurveyed });
    const plan = attempted(() => concluded(start, { records, complete: true, isProvisional: true }));
    if (plan !== null) return plan;
  }
  await surveyRest(first, survey, onSurveyed);
  return whole();
};

/** An error with the sample need not occur with the whole file. */
const attempted = (plan: () => ImportPlan): ImportPlan | null => {
  try {
    return plan();
  } catch (error) {
    if (error instanceof TributaryError) return null;
    throw error;
  }
};

type Start = Awaited<ReturnType<typeof begin>>;

/** Opens a file and reads its sample. */
const begin = async (request: PlanRequest, existing: ExistingIndex | null) => {
  const requested = request.reading ?? plainReading;
  const isTable = isTableFormat(request.format);
  const mapped = knownProperties(request, existing);
  const source = twiceReadable(request);
  const isOpaque = opaqueIn(mapped ?? {});
  const open = (chunks: AsyncIterable<Buffer>, properties: JsonObject | null, how: ReadingOptions) => {
    const read = filesRecords(request, chunks, properties, how);
    if (isTable) return read;
    const isMapped = (path: string): boolean => mapped !== null && mappingType(mapped, path) !== null;
    const names = latinNames({ isMapped, isOpaque, onRenamed: heard.onRenamed });
    return withSteps(read, [expandKeys(isOpaque), ...convertDocuments(how, mapped), names]);
  };
  const heard = newHeard();
  const first = open(source.chunks, mapped, listening(requested, heard));
  const sample = await takeSample(first);
  const documents = sample.records.flatMap((record) => (record.kind === 'document' ? [record] : []));
  const survey = newSurvey();
  documents.forEach(survey.add);
  const fieldOf = (name: string): string =>
    (heard.columns ?? heard.renamed).find(({ label }) => label === name)?.field ?? name;
  const types = new Map([...requested.types].map(([name, type]) => [fieldOf(name), type]));
  const early = survey.properties();
  return {
    request,
    existing,
    requested,
    isTable,
    mapped,
    source,
    open,
    heard,
    first,
    sample,
    documents,
    survey,
    early,
    fieldOf,
    types,
    dynamic: givenMapping(request, existing).dynamic,
  };
};

const sampleRecords = 10_000;
const sampleBytes = 16 * 1024 * 1024;

/** The first records of a file. */
interface Sample {
  readonly records: readonly SourceRecord[];
  /** The error that ended reading the sample; rethrown after the records before it. */
  readonly broken: unknown;
  readonly complete: boolean;
}

/** @throws errors of the reader before the first document of a file */
const takeSample = async (records: AsyncGenerator<SourceRecord>): Promise<Sample> => {
  const taken: SourceRecord[] = [];
  let bytes = 0;
  try {
    while (taken.length < sampleRecords && bytes < sampleBytes) {
      const next = await records.next();
      if (next.done === true) return { records: taken, broken: null, complete: true };
      taken.push(next.value);
      bytes += next.value.kind === 'document' ? next.value.bytes : 0;
    }
  } catch (broken) {
    if (broken instanceof UnreadFile || !taken.some((record) => record.kind === 'document')) throw broken;
    return { records: taken, broken, complete: true };
  }
  return { records: taken, broken: null, complete: false };
};

/** The records of a sample and those after it. @throws the error that ended the sample */
const replay = async function* (
  sample: Sample,
  rest: AsyncIterable<SourceRecord>,
): AsyncGenerator<SourceRecord> {
  yield* sample.records;
  if (sample.broken !== null) throw sample.broken;
  yield* rest;
};

const dateFormatOf = ({ dateFormat, ofField }: ReadingOptions): string | undefined =>
  dateFormat ?? [...(ofField?.values() ?? [])].find(({ dateFormat: format }) => format)?.dateFormat;

/** Whether the date format, if there is one, matches a value. */
const hasDates = ({ requested, heard, documents }: Start): boolean =>
  dateFormatOf(requested) === undefined || heard.dates > 0 || documents.length === 0;

/** The plan according to the survey so far. */
const concluded = (
  start: Start,
  {
    records,
    complete,
    isProvisional = false,
  }: {
    readonly records: (properties: JsonObject) => AsyncIterable<SourceRecord>;
    readonly complete: boolean;
    readonly isProvisional?: boolean;
  },
): ImportPlan => {
  const { request, existing, requested, isTable, heard, documents, survey, early, types } = start;
  if (complete && !hasDates(start)) throw noDates(dateFormatOf(requested)!, isTable || types.size > 0);
  const { declared, columns } = heard;
  const planned = plannedMapping(request, existing, {
    survey,
    early,
    complete,
    types,
    declared,
    columns,
    isTable,
  });
  const added = request.replace ? null : existing;
  const chosen = chooseIdRule(documents, request.idField && start.fieldOf(request.idField), survey.keys);
  const problems = chosen.kind === 'generated' ? survey.keys.problems() : [];
  if (request.idField === undefined && documents.some(({ id }) => id === null))
    rejectLostKeys(chosen, survey, problems);
  const append = request.append === true;
  const idRule = keyRuleFor(documents, chosen, { existing: added, append, problems });
  return {
    ...planned,
    records: records(planned.properties),
    documents,
    idRule,
    keyCandidates:
      idRule.kind === 'generated' && documents.some(({ id }) => id === null)
        ? keyCandidates(documents).filter(
            (path) => (survey.evidence.fields.get(path)?.emptyWords.size ?? 0) === 0,
          )
        : [],
    evidence: survey.evidence,
    columns:
      columns
        ?.filter(({ isNamed, field }) => isNamed || survey.evidence.fields.has(field))
        .map(({ field }) => field) ?? null,
    header: columns ?? heard.renamed,
    complete,
    isProvisional,
    release: start.source.release,
    get notices() {
      const renamed = foreignNotice(heard.renamed.map(({ label, field }) => `"${label}" as ${field}`));
      return [...heard.notices, ...renamed, ...problems.map(keyProblemText), ...keyNotice(idRule, survey)];
    },
  };
};

/** @throws TributaryError INPUT_INVALID values of `_id` that would be lost without anybody asking for it */
const rejectLostKeys = (rule: IdRule, survey: Survey, problems: readonly KeyProblem[]): void => {
  if (!losesKeys(rule, survey)) return;
  const why =
    rule.kind === 'field' ? [] : problems.filter(({ path }) => isBelowKey(path)).map(keyProblemText);
  const without = rule.kind === 'field' ? `, with --id-field ${rule.path} to leave them out` : '';
  throw invalidInput(
    `${[...why, 'the values of _id would be lost, since it is the name of the keys'].join('; ')}: load with --id-field _id${without}, or rename the field`,
  );
};

/** A sentence about a field that is named like a key but is not the key. */
const keyNotice = (rule: IdRule, survey: Survey): readonly string[] =>
  losesKeys(rule, survey) ? ['the values of _id are not loaded, since it is the name of the keys'] : [];

const losesKeys = (rule: IdRule, { evidence }: Survey): boolean =>
  !(rule.kind === 'field' && isBelowKey(rule.path)) && [...evidence.fields.keys()].some(isBelowKey);

const isBelowKey = (path: string): boolean => path === '_id' || path.startsWith('_id.');

/** Facts that a reader reports while it reads. */
interface Heard {
  columns: readonly TableColumn[] | null;
  /** Fields of documents that are renamed, since GraphQL does not allow their names. */
  readonly renamed: TableColumn[];
  readonly onRenamed: (field: string, label: string) => void;
  /** Dates that match the date format. */
  dates: number;
  /** The types that the file declares. */
  declared: ReadonlyMap<string, string>;
  readonly notices: string[];
}

const newHeard = (): Heard => {
  const renamed: TableColumn[] = [];
  const onRenamed = (field: string, label: string): void => {
    if (renamed.every((column) => column.label !== label))
      renamed.push({ field, label, position: -1, isNamed: true });
  };
  return { columns: null, renamed, onRenamed, dates: 0, declared: new Map(), notices: [] };
};

const listening = (requested: ReadingOptions, heard: Heard): ReadingOptions => ({
  ...requested,
  onColumns: (names) => {
    const known = heard.columns ?? [];
    heard.columns = [
      ...known,
      ...names.filter(({ field }) => known.every((column) => column.field !== field)),
    ];
  },
  onNotice: (text) => void heard.notices.push(text),
  onTypes: (types) => void (heard.declared = types),
  onDate: () => void (heard.dates += 1),
});

const noDates = (format: string, isTyped: boolean): TributaryError => {
  const types = isTyped ? '' : ' (name the fields of documents that are dates with --types NAME=date)';
  return invalidInput(`--date-format ${format} matches no value of the file${types}`);
};

const twiceReadable = ({ chunks, reread }: PlanRequest): TwiceReadable =>
  reread === undefined ? keptForReread(chunks) : { chunks, reread, release: () => Promise.resolve() };

/** An error that ends the reading early is thrown again by the second reading, after the records before it. */
const surveyRest = async (
  records: AsyncIterable<SourceRecord>,
  survey: Survey,
  onSurveyed: () => void,
): Promise<void> => {
  try {
    for await (const record of records) {
      if (record.kind === 'document') survey.add(record);
      onSurveyed();
    }
  } catch {
    return;
  }
};

/** Thrown when a later record has values that the current plan cannot hold. */
export class Widened extends Error {
  /** The plan for the whole file, starting at its first record. */
  readonly plan: ImportPlan;

  constructor(plan: ImportPlan) {
    super('a later record needs other types or keys');
    this.plan = plan;
  }
}

/** The records of a plan made from the sample only. @throws Widened if the types of all records differ */
const watched = async function* (
  { records: sampled }: Sample,
  rest: AsyncGenerator<SourceRecord>,
  survey: Survey,
  { whole, onSurveyed }: { readonly whole: () => ImportPlan; readonly onSurveyed: () => void },
): AsyncGenerator<SourceRecord> {
  const planned = survey.properties();
  const key = survey.keys.field();
  yield* sampled;
  let changes = survey.changes();
  for await (const record of rest) {
    if (record.kind === 'document') survey.add(record);
    if (survey.changes() !== changes) {
      changes = survey.changes();
      if (survey.keys.field() !== key || !isDeepStrictEqual(survey.properties(), planned)) {
        await surveyRest(rest, survey, onSurveyed);
        throw new Widened(whole());
      }
    }
    yield record;
  }
};

const knownProperties = (request: PlanRequest, existing: IndexDescription | null): JsonObject | null => {
  const given = request.mapping?.['properties'] as JsonObject | undefined;
  return given ?? (request.replace ? null : (existing?.properties ?? null));
};
