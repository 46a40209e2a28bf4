import { join } from 'node:path';
import { editJson } from '../../server/config/edit-json.ts';
import { brokenType, contradictions } from '../../indexing/codebook/compare.ts';
import type { Codebook, CodedField } from '../../indexing/codebook/codebook.ts';
import { fieldOf, surveyValues, type SurveyRequest } from '../../indexing/codebook/survey-values.ts';
import type { PlanRequest } from '../../indexing/file-import/plan-import.ts';
import { plainReading, type FieldReading } from '../../indexing/file-import/records/source-record.ts';
import { mappingType } from '../../indexing/mapping-body.ts';
import { invalidInput } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { firstOf } from '../../lib/text/escaped-text.ts';
import { aggregationName, kindOf } from '../../introspection/fields/field.ts';

/** What a codebook says of the fields of an index, by their paths. */
export type FieldNotes = ReadonlyMap<string, CodedField>;

/**
 * Compares a codebook with the data, prints where they contradict each other, and lets it decide about the types and the
 * missing values of fields about which neither the command line nor a mapping does.
 * @param request of the survey: its records are read to their end
 * @param properties of the mappings that are there
 * @returns the options to read the data with, and what the codebook says of each field
 * @throws TributaryError INPUT_INVALID values that do not fit a type that the codebook declares; errors of the file
 */
export const readWith = async (
  book: Codebook,
  request: SurveyRequest,
  properties: readonly JsonObject[],
): Promise<{ readonly reading: NonNullable<PlanRequest['reading']>; readonly notes: FieldNotes }> => {
  const surveyed = await surveyValues(request, book);
  const { columns, fields } = surveyed;
  const reading = request.reading ?? plainReading;
  const requested = new Set([...reading.types.keys()].map((name) => fieldOf(name, columns)));
  const isDeclared = (path: string): boolean =>
    !requested.has(path) && properties.every((known) => mappingType(known, path) === null);
  contradictions(book, surveyed).forEach((line) => console.log(`codebook: ${line}`));
  const broken = brokenType(book, surveyed, isDeclared);
  if (broken) throw broken;
  const types = new Map(reading.types);
  const ofField = new Map(reading.ofField);
  for (const [name, { type, missing }] of book) {
    const path = fieldOf(name, columns);
    if (!fields.has(path)) continue;
    if (type !== undefined && isDeclared(path)) types.set(name, type);
    if (missing.length > 0) ofField.set(name, withMissing(ofField.get(name), missing));
  }
  const notes = new Map([...book].map(([name, field]) => [fieldOf(name, columns), field]));
  const hidden = [...book].flatMap(([name, { isIdentifier }]) => (isIdentifier ? [name] : []));
  if (hidden.length > 0)
    console.log(
      `codebook: these fields identify people: ${firstOf(hidden, 10)}. New tables do not show them, but readers can still ask for them: leave them out of the file, or hold them back with _source.excludes in mapping.json (docs/loading.md#hold-a-field-back)`,
    );
  // of several tables not each needs to have all columns
  const mayLack = new Set([...book.keys()].filter((name) => !reading.types.has(name)));
  return { reading: { ...reading, types, mayLack, ...(ofField.size > 0 && { ofField }) }, notes };
};

/** Codes that an index has as numbers, whose labels have no effect on charts; as lines. */
export const uncodedLines = (notes: FieldNotes, properties: JsonObject): readonly string[] => {
  const numbers = [...notes].flatMap(([path, { values }]) =>
    values.size > 0 && kindOf(mappingType(properties, path) ?? '') === 'number' ? [path] : [],
  );
  return numbers.length === 0
    ? []
    : [
        `codebook: the index has these codes as numbers, so pages show ranges of them instead of their labels: ${firstOf(numbers, 10)}. To change that, make them keyword in mapping.json, and load the data with --replace`,
      ];
};

/** The fields of a codebook that an index lacks; as lines. */
export const absentLines = (notes: FieldNotes, properties: JsonObject): readonly string[] => {
  const absent = [...notes.keys()].filter((path) => mappingType(properties, path) === null);
  return absent.length === 0 ? [] : [`codebook: fields that the data lack: ${firstOf(absent, 10)}`];
};

const withMissing = (before: FieldReading | undefined, missing: readonly string[]): FieldReading => ({
  ...before,
  nullWords: new Set([...(before?.nullWords ?? []), ...missing]),
});

/**
 * Writes what a codebook says into a catalogue's extended.json, atomically: labels, descriptions, units and the labels of
 * values. Whatever else is there stays.
 * @param isField whether the index has a field
 * @returns the file, and how many fields it describes now
 * @throws TributaryError INPUT_INVALID an extended.json without its list; CONFIG_INVALID one that cannot be read or written
 */
export const writeNotes = async (
  folder: string,
  notes: FieldNotes,
  isField: (path: string) => boolean,
): Promise<{ readonly file: string; readonly fields: number }> => {
  const file = join(folder, 'extended.json');
  const described = new Map([...notes].filter(([path]) => isField(path)));
  const named = new Map([...described.keys()].map((path) => [aggregationName(path), path]));
  const pathOf = ({ fieldName }: JsonObject): string => {
    const name = String(fieldName);
    return described.has(name) ? name : (named.get(name) ?? name);
  };
  const change = (content: JsonObject): JsonObject => {
    const entries = content['extended'];
    if (!Array.isArray(entries))
      throw invalidInput(
        `${file} has no list "extended", so the codebook's labels cannot be written into it`,
      );
    const before = entries as readonly JsonObject[];
    const known = new Set(before.map(pathOf));
    const changed = before.map((entry) => ({ ...entry, ...entryOf(described.get(pathOf(entry))) }));
    const added = [...described].flatMap(([path, field]) =>
      known.has(path) ? [] : [{ fieldName: path, ...entryOf(field) }],
    );
    return { ...content, extended: [...changed, ...added] };
  };
  await editJson(file, change, { extended: [] });
  return { file, fields: described.size };
};

const entryOf = (field: CodedField | undefined): JsonObject => {
  if (field === undefined) return {};
  const { label, description, unit, values } = field;
  return {
    ...(label !== undefined && { displayName: label }),
    ...(description !== undefined && { description }),
    ...(unit !== undefined && { unit }),
    ...(values.size > 0 && { displayValues: Object.fromEntries(values) }),
  };
};
