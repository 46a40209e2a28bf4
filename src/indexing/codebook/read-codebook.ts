import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { invalidInput } from '../../lib/errors/errors.ts';
import { isDictionary, readDictionary } from './redcap-dictionary.ts';
import { isPlain, readPlain } from './plain-codebook.ts';
import type { Codebook, CodebookRow } from './codebook.ts';

const plainHeader = 'field,value,label,unit,description';

/**
 * Reads a codebook: a REDCap data dictionary, as REDCap exports it or its API gives it, or a CSV file with the columns
 * field, value, label, unit, description.
 * @throws TributaryError INPUT_INVALID a file that cannot be read, or is neither; with its name, and the line at fault
 */
export const readCodebook = async (file: string): Promise<Codebook> => {
  const rows = rowsOf(await textOf(file), file);
  const header = Object.keys(rows[0] ?? {});
  if (isDictionary(header)) return readDictionary(rows, file);
  if (isPlain(header)) return readPlain(rows, file);
  throw invalidInput(
    `${file} is not a codebook: a REDCap data dictionary, or a CSV file with the header ${plainHeader} expected`,
  );
};

const textOf = async (file: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is not UTF-8' : (cause as Error).message;
    throw invalidInput(`the codebook ${file} cannot be read: ${why}`, { cause });
  }
};

const separators = [',', ';', '\t'];

const rowsOf = (text: string, file: string): readonly CodebookRow[] => {
  const [header = ''] = text.split(/\r?\n/, 1);
  const delimiter = separators.toSorted((a, b) => header.split(b).length - header.split(a).length)[0]!;
  try {
    return parse(text, {
      ...{ bom: true, delimiter, trim: true, skip_empty_lines: true, relax_column_count_less: true },
      columns: (names: readonly string[]) => names.map((name) => name.toLowerCase()),
    });
  } catch (cause) {
    throw invalidInput(`the codebook ${file} is not a table: ${(cause as Error).message}`, { cause });
  }
};
