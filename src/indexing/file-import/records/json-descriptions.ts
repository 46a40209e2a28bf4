import { invalidInput } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { firstOf } from '../../../lib/text/escaped-text.ts';

/** Forms of files that describe tables and have no records, and what to load instead. */
const descriptions: readonly ((root: JsonObject) => string | null)[] = [
  ({ datasetJSONVersion, rows }) =>
    datasetJSONVersion === undefined || rows !== undefined
      ? null
      : 'in Dataset-JSON of lines the rows have no names: save it as one object with "rows", and load that',
  ({ clinicalData, referenceData }) =>
    [clinicalData, referenceData].some((data) => isJsonObject(data) && isJsonObject(data['itemGroupData']))
      ? 'in Dataset-JSON 1.0 the rows have no names: convert it to version 1.1, and load that'
      : null,
  ({ resources }) => {
    const parts = Array.isArray(resources) ? (resources as readonly unknown[]).filter(isJsonObject) : [];
    const files = parts.flatMap(({ path, schema }) => (schema === undefined ? [] : [path])).flat();
    return files.length > 0 && files.length >= parts.length
      ? `the file is a data package, which describes tables: load ${firstOf(files.map(String), 3)}`
      : null;
  },
  (root) =>
    Object.keys(root).length > 0 && Object.values(root).every(isSidecarColumn)
      ? 'the file is a BIDS sidecar, which describes the columns of a table: load the .tsv file that it belongs to'
      : null,
];

const sidecarKeys = ['LongName', 'Description', 'Levels', 'Units', 'TermURL', 'HED', 'Delimiter', 'Format'];

const isSidecarColumn = (value: unknown): boolean => {
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => sidecarKeys.includes(name));
};

/** What to load instead of a value that describes tables elsewhere; null for any other. */
export const adviceFor = (value: unknown): string | null => {
  if (!isJsonObject(value)) return null;
  return descriptions.map((read) => read(value)).find((advice) => advice !== null) ?? null;
};

/** @throws TributaryError INPUT_INVALID for a value that describes tables elsewhere, with the way to them */
export const rejectDescription = (value: unknown): void => {
  const advice = adviceFor(value);
  if (advice !== null)
    throw invalidInput(`${advice} (--records '' loads the description as a record)`, {
      details: { settledBy: "--records ''" },
    });
};
