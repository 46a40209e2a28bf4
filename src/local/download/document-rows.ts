import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { storedValues } from '../hits/stored-document.ts';
import { columnPath, valuesAt, type Step } from './column-path.ts';

/** The objects that form a row: the document, and with uniqueBy one object of each nested level below it. */
export type Row = readonly JsonObject[];

/** A nested path that rows are based on. */
export interface RowLevel {
  readonly path: string;
  /** Relative to an object of the level above, or the document. */
  readonly steps: readonly Step[];
}

/**
 * The levels of `uniqueBy`, outermost first: its innermost nested path and those above. Anything after that (a field of
 * the object) has no effect. None without uniqueBy: a row is a document.
 * @throws TributaryError BAD_USER_INPUT when it contains no nested path
 */
export const rowLevels = (uniqueBy: string | null, fields: Fields): readonly RowLevel[] => {
  if (uniqueBy === null) return [];
  const { mapped } = columnPath(uniqueBy, fields);
  const field = mapped === null ? undefined : fields.get(mapped);
  const paths = [...(field?.nestedIn ?? []), ...(field?.kind === 'nested' ? [field.path] : [])];
  if (paths.length === 0) throw notNested(uniqueBy, fields);
  return paths.map((path, depth) => {
    const below = depth === 0 ? path : path.slice(paths[depth - 1]!.length + 1);
    return { path, steps: below.split('.').map((key) => ({ key })) };
  });
};

/** The rows of a document: one for each object of the innermost level; a document without any has none. */
export const documentRows = (document: JsonObject, levels: readonly RowLevel[]): readonly Row[] => {
  let rows: readonly Row[] = [[document]];
  for (const { steps } of levels) {
    rows = rows.flatMap((row) =>
      valuesAt(row.at(-1), steps)
        .flatMap(storedValues)
        .filter(isJsonObject)
        .map((object) => [...row, object]),
    );
  }
  return rows;
};

const notNested = (uniqueBy: string, fields: Fields): TributaryError => {
  const nestedFields = [...fields.values()].filter(({ kind }) => kind === 'nested').map(({ path }) => path);
  return badUserInput(`uniqueBy ${JSON.stringify(uniqueBy.slice(0, 200))} names no nested field`, {
    details: { nestedFields },
  });
};
