import { parseDate } from '../../introspection/dates/dates.ts';
import { newInference } from '../../introspection/mapping/infer.ts';
import { expandedKeys } from '../../introspection/mapping/expanded-keys.ts';
import type { PlanRequest } from '../file-import/plan-import.ts';
import { filesRecords } from '../file-import/read-files.ts';
import { plainReading } from '../file-import/records/source-record.ts';
import type { TableColumn } from '../file-import/records/source-record.ts';
import type { Codebook, CodedField } from './codebook.ts';

/** Distinct values that are collected of a field: a coded one has fewer. */
const maxValues = 1_000;

/** The values of a field in the records of a file, as they are written. */
export interface SurveyedField {
  readonly values: Set<string>;
  /** The first value that does not fit the type that the codebook declares. */
  misfit: { readonly line: number; readonly value: string } | null;
}

export interface SurveyedValues {
  /** By dotted path, for each field that has a value. */
  readonly fields: ReadonlyMap<string, SurveyedField>;
  /** The columns of a table. */
  readonly columns: readonly TableColumn[];
}

/** A load whose file can be read more than once. */
export type SurveyRequest = PlanRequest & Required<Pick<PlanRequest, 'reread'>>;

/** The path of a field that a codebook names as the header does. */
export const fieldOf = (name: string, columns: readonly TableColumn[]): string =>
  columns.find(({ label }) => label === name)?.field ?? name;

/**
 * Reads all records of a load once, for comparing them with a codebook. Coded values are texts: 01 is not 1.
 * @throws TributaryError errors of the file
 */
export const surveyValues = async (request: SurveyRequest, book: Codebook): Promise<SurveyedValues> => {
  const fields = new Map<string, SurveyedField>();
  const columns: TableColumn[] = [];
  let line = 0;
  const reading = request.reading ?? plainReading;
  // numbers and dates that are written in another way are read as the options say
  const isPlain = reading.decimal === undefined && reading.dateFormat === undefined;
  const checkOf = (path: string): ((text: string) => boolean) | undefined => {
    const label = columns.find(({ field }) => field === path)?.label ?? path;
    const { type, missing } = book.get(label) ?? book.get(path) ?? uncoded;
    const isFit = isPlain && type !== undefined ? fits[type] : undefined;
    return isFit && ((text) => missing.includes(text) || isFit(text));
  };
  const inference = newInference((path) => {
    const field: SurveyedField = { values: new Set(), misfit: null };
    const isFit = checkOf(path);
    fields.set(path, field);
    return (value, type) => {
      if (type === 'object') return;
      const text = String(value);
      if (field.values.size < maxValues) field.values.add(text);
      if (field.misfit === null && isFit?.(text) === false) field.misfit = { line, value: text };
    };
  });
  const types = new Map([...book.keys()].map((name) => [name, 'keyword']));
  const onColumns = (ofFile: readonly TableColumn[]): void => {
    columns.push(...ofFile.filter(({ field }) => columns.every((known) => known.field !== field)));
  };
  const asTexts = { ...reading, types, mayLack: new Set(types.keys()), onColumns };
  for await (const record of filesRecords(request, request.reread(), null, asTexts)) {
    line = record.line;
    if (record.kind === 'document') inference.addExpanded(expandedKeys(record.document));
  }
  return { fields, columns };
};

const uncoded: Pick<CodedField, 'type' | 'missing'> = { missing: [] };

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** Whether a text fits a type; other types take any. */
const fits: Readonly<Record<string, (text: string) => boolean>> = {
  long: (text) => /^[+-]?\d+$/.test(text),
  double: isNumber,
  date: (text) => parseDate(text, undefined, 'down') !== null,
};
