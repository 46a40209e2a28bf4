import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { readJsonFile } from '../../server/config/json-file.ts';
import { invalidInput, TributaryError } from '../../lib/errors/errors.ts';
import type { DescribedField } from '../../federation/proposal/compatible.ts';
import type { ProposedField } from '../../federation/proposal/propose.ts';
import { escapeFormula } from '../../lib/text/escape-formula.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import { proposal, type Proposal } from '../../capabilities/joining/invitations.ts';

/** Maps fields and values of a catalogue to those of a network. */
export type Mapping = Pick<Proposal, 'fields' | 'values'>;

/** The proposals without a conflict, as a mapping: fields with another name, values that are written differently. */
export const mappingOf = (all: readonly ProposedField[]): Mapping => {
  const taken = all.filter(({ conflict }) => conflict === null);
  return {
    fields: Object.fromEntries(
      taken.filter(({ network, own }) => network !== own).map(({ network, own }) => [network, own]),
    ),
    values: Object.fromEntries(
      taken
        .filter(({ values }) => values.length > 0)
        .map(({ network, values }) => [
          network,
          Object.fromEntries(values.map((one) => [one.own, one.network])),
        ]),
    ),
  };
};

/**
 * Writes fields.csv and values.csv for a person to edit: every field of the network, and every known value here of
 * the fields that have a counterpart.
 * @returns the files
 * @throws TributaryError CONFLICT if a file exists: a person may have written it
 */
export const writeMappingFiles = async (
  folder: string,
  network: readonly DescribedField[],
  own: readonly DescribedField[],
  proposed: readonly ProposedField[],
): Promise<readonly string[]> => {
  const byPath = new Map(proposed.map((one) => [one.network, one]));
  const ownValues = new Map(own.map(({ name, values = [] }) => [name, values]));
  const fields = network.map(({ name }) => {
    const { own: ours = '', reason = '', conflict = null } = byPath.get(name) ?? {};
    return [name, conflict === null ? ours : '', conflict === null ? reason : `${ours}: ${conflict}`];
  });
  const values = proposed.flatMap(({ network: path, own: ours, values: mapped }) => {
    const listed = ownValues.get(ours) ?? [];
    return listed.length > maxListed
      ? []
      : listed.map((value) => {
          const { network: theirs = '', reason = '' } = mapped.find((one) => one.own === value) ?? {};
          return [path, value, theirs, reason];
        });
  });
  const files = ['fields.csv', 'values.csv'].map((name) => join(folder, name));
  const there = files.find((file) => existsSync(file));
  if (there !== undefined)
    throw new TributaryError(
      'CONFLICT',
      `${there} is there already, and is not overwritten: use it with --mapping, or remove it`,
    );
  await writeTable(files[0]!, ['network', 'own', 'reason'], fields);
  await writeTable(files[1]!, ['field', 'own', 'network', 'reason'], values);
  return files;
};

const maxListed = 100;

const writeTable = async (
  file: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> => {
  const quoted = (cell: string): string => `"${escapeFormula(cell).replaceAll('"', '""')}"`;
  await writeFile(file, `${[head, ...rows].map((row) => row.map(quoted).join(',')).join('\n')}\n`, {
    flag: 'wx',
  });
};

/**
 * Reads a mapping that a person has written: JSON with `fields` and `values` as in nodes.json, or a fields.csv with a
 * values.csv beside it.
 * @throws TributaryError INPUT_INVALID naming the problem and the closest name
 */
export const readMapping = async (
  file: string,
  network: readonly DescribedField[],
  own: readonly DescribedField[],
): Promise<Mapping> => {
  const mapping = file.endsWith('.csv') ? await readTables(file) : readJson(file);
  const names = new Set(own.map(({ name }) => name));
  const paths = new Set([...network.map(({ name }) => name)]);
  const taken = new Map<string, string>();
  for (const [path, ours] of Object.entries(mapping.fields)) {
    if (!names.has(ours)) throw unknown(file, `this catalogue has no field "${ours}"`, ours, names);
    if (taken.has(ours)) throw invalid(file, `${taken.get(ours)} and ${path} both name "${ours}": keep one`);
    taken.set(ours, path);
  }
  for (const path of [...Object.keys(mapping.fields), ...Object.keys(mapping.values)])
    if (paths.size > 0 && !paths.has(path))
      throw unknown(file, `the network has no field "${path}"`, path, paths);
  // fields that are not listed keep their names
  const renamed = Object.entries(mapping.fields).filter(([path, ours]) => path !== ours);
  return { ...mapping, fields: Object.fromEntries(renamed) };
};

const readJson = (file: string): Mapping => {
  const found = readJsonFile(file);
  if (found.kind === 'missing') throw invalid(file, 'there is no such file');
  if (found.kind === 'broken') throw invalid(file, found.reason);
  if (found.repeated !== null) throw invalid(file, found.repeated);
  const parsed = proposal.pick({ fields: true, values: true }).partial().safeParse(found.content);
  if (!parsed.success) throw invalid(file, '{"fields": {...}, "values": {...}} as in nodes.json expected');
  return { fields: parsed.data.fields ?? {}, values: parsed.data.values ?? {} };
};

const readTables = async (file: string): Promise<Mapping> => {
  const beside = join(dirname(file), basename(file).replace(/fields(?=\.csv$)/, 'values'));
  const fields = await readTable(file, ['network', 'own']);
  const values =
    beside === file || !existsSync(beside) ? [] : await readTable(beside, ['field', 'own', 'network']);
  const filled = values.filter(([, , theirs]) => theirs !== '');
  return {
    fields: pairs(
      file,
      fields.filter(([, own]) => own !== ''),
    ),
    values: Object.fromEntries(
      [...Map.groupBy(filled, ([path]) => path!)].flatMap(([path, rows]) => {
        const mapped = Object.entries(
          pairs(
            beside,
            rows.map(([, ...row]) => row),
          ),
        ).filter(([own, theirs]) => own !== theirs);
        return mapped.length === 0 ? [] : [[path, Object.fromEntries(mapped)]];
      }),
    ),
  };
};

/** Maps the first cell of each row to the second. @throws TributaryError INPUT_INVALID if two rows conflict */
const pairs = (file: string, rows: readonly (readonly string[])[]): Readonly<Record<string, string>> => {
  const found = new Map<string, string>();
  for (const [name, meant] of rows) {
    const before = found.get(name!);
    if (before !== undefined && before !== meant)
      throw invalid(file, `"${name}" has two rows, with "${before}" and "${meant}": keep one`);
    found.set(name!, meant!);
  }
  return Object.fromEntries(found);
};

/** The cells of these columns by row; in many countries, spreadsheets separate cells with semicolons. */
const readTable = async (
  file: string,
  columns: readonly string[],
): Promise<readonly (readonly string[])[]> => {
  const bytes = await readFile(file);
  if (!isUtf8(bytes)) throw invalid(file, 'it is not UTF-8: save it as CSV UTF-8');
  const text = bytes.toString();
  const delimiter = /^[^\n]*;/.test(text) ? ';' : ',';
  const rows = rowsIn(file, text, delimiter);
  const missing = rows.length > 0 && columns.find((column) => rows[0]![column] === undefined);
  if (missing) throw invalid(file, `the column "${missing}" is missing: ${columns.join(', ')} expected`);
  return rows.map((row) => columns.map((column) => (row[column] ?? '').replace(apostrophe, '')));
};

/** The apostrophe that `escapeFormula` puts before a formula. */
const apostrophe = /(?<=^|;["\s]*)'(?=[=+\-@\t\r\n])/g;

const rowsIn = (
  file: string,
  text: string,
  delimiter: string,
): readonly Readonly<Record<string, string>>[] => {
  try {
    return parse(text, {
      ...{
        bom: true,
        columns: true,
        delimiter,
        trim: true,
        skip_empty_lines: true,
        relax_column_count: true,
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? invalid(file, error.message) : error;
  }
};

const unknown = (file: string, what: string, name: string, known: ReadonlySet<string>): TributaryError => {
  const near = closest(name, [...known])?.name;
  return invalid(file, `${what}${near === undefined ? '' : `: did you mean "${near}"?`}`);
};

const invalid = (file: string, what: string): TributaryError => invalidInput(`${file}: ${what}`);
