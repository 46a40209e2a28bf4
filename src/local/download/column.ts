import { unlistedLabel, type ExtendedField } from '../../introspection/fields/field-config.ts';
import { documentKey, isWideType, type Field, type Fields } from '../../introspection/fields/field.ts';
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts';
import { escapeFormula } from '../../lib/text/escape-formula.ts';
import { cellText, jsonCell } from './cell-text.ts';
import { columnPath, valuesAt, type ColumnPath, type Step } from './column-path.ts';
import { dateText } from './date-text.ts';
import type { Row, RowLevel } from './document-rows.ts';
import type { ColumnRequest } from './parse-download.ts';
import { storedValues } from '../hits/stored-document.ts';

/** A column of a file, ready to be read row by row. */
export interface Column {
  readonly header: string;
  /** Its key in JSON. */
  readonly key: string;
  /** The cell in TSV and CSV, before quoting. */
  readonly text: (row: Row) => string;
  readonly json: (row: Row) => JsonValue;
  /** Whether the mapping has no field of this name. */
  readonly isUnknown: boolean;
  /** The dotted document path it requires; null when it refers to nothing mapped. */
  readonly needs: string | null;
}

export interface ColumnContext {
  readonly fields: Fields;
  /** The entries of extended.json, by dotted path. */
  readonly extended: ReadonlyMap<string, ExtendedField>;
  readonly levels: readonly RowLevel[];
  readonly valueWhenEmpty: string;
  readonly escapesFormulas: boolean;
}

/**
 * Builds a requested column; extended.json provides its name unless the request does.
 * @throws TributaryError BAD_USER_INPUT for an unusable path or date format
 */
export const column = (request: ColumnRequest, context: ColumnContext): Column => {
  const { path, isPlaced } = requestedPath(request, context.fields);
  const field = path.isCount ? undefined : path.field;
  const extended = field === undefined ? undefined : context.extended.get(field.path);
  const read = valuesReader(path, context.levels);
  const values =
    isBelowRow(field, context.levels) || path.isOpened ? read : (row: Row) => together(read(row));
  const declaredList = request.isArray === true || (field?.isArray ?? false);
  const displayValues = request.extendedDisplayValues ?? request.displayValues;
  const shown = {
    dates: showsDates(request, extended) ? dateText(request.displayFormat) : null,
    displayValues: displayValues ?? {},
    ...(field && displayValues && { labelOf: (value: string) => unlistedLabel(field, value) }),
    listSeparator: isPlaced && context.levels.length === 0 ? ', ' : request.isArray === true ? ';' : ', ',
    isNumber: field?.kind === 'number',
    isWide: field !== undefined && isWideType(field.type),
    valueWhenEmpty: context.valueWhenEmpty,
    escapesFormulas: context.escapesFormulas,
  };
  const isList = declaredList || isBelowRow(field, context.levels);
  return {
    header: context.escapesFormulas
      ? escapeFormula(headerOf(request, extended))
      : headerOf(request, extended),
    isUnknown: path.field === undefined && !isOpen(path, context.fields),
    key: nameOf(request),
    text: (row) => cellText(values(row), shown),
    json: (row) => jsonCell(values(row), field, isList),
    needs: neededPath(path),
  };
};

/**
 * jsonPath takes precedence over accessor and fieldName, unless it leads nowhere.
 * @returns the path, and whether it is the jsonPath: the values of such columns, which a server itself provides, are
 *   joined differently from the values of columns made by a client
 */
const requestedPath = (
  { jsonPath, accessor, fieldName }: ColumnRequest,
  fields: Fields,
): { readonly path: ColumnPath; readonly isPlaced: boolean } => {
  const paths = [jsonPath, accessor, fieldName].flatMap((text) =>
    text ? [{ path: columnPath(text, fields), isPlaced: text === jsonPath }] : [],
  );
  return (
    paths.find(({ path }) => path.field !== undefined) ??
    paths.find(({ path }) => path.mapped !== null) ??
    paths[0]!
  );
};

/** Whether a path leads into an object whose content the mapping does not list, or to the key of a document. */
const isOpen = ({ mapped, steps: [first] }: ColumnPath, fields: Fields): boolean =>
  (mapped !== null && ['json', 'flattened'].includes(fields.get(mapped)?.kind ?? '')) ||
  (first !== undefined && 'key' in first && first.key === documentKey.path);

const nameOf = ({ fieldName, accessor, jsonPath }: ColumnRequest): string =>
  fieldName || accessor || jsonPath!;

/** The first one present, as portals rely on. */
const headerOf = (request: ColumnRequest, extended: ExtendedField | undefined): string => {
  const { displayName, Header } = request;
  return displayName || (typeof Header === 'string' && Header) || extended?.displayName || nameOf(request);
};

/** Whether dates are formatted: without a format only where the column itself says so, as tables of portals send it. */
const showsDates = (request: ColumnRequest, extended: ExtendedField | undefined): boolean => {
  const ownType = request.displayType ?? request.type;
  return (
    ownType === 'date' || (!ownType && Boolean(request.displayFormat) && extended?.displayType === 'date')
  );
};

/** The values of a field in objects that are not nested are one list, as in the index and over a network. */
const together = (values: readonly JsonValue[]): readonly JsonValue[] =>
  values.length < 2 ? values : [values.flatMap(storedValues)];

const isBelowRow = (field: Field | undefined, levels: readonly RowLevel[]): boolean =>
  field !== undefined && field.nestedIn.some((path) => levels.every((level) => level.path !== path));

/** Lists keep all their objects when an object is counted or selected by index. */
const neededPath = ({ mapped, steps }: ColumnPath): string | null => {
  const at = steps.findIndex((step) => 'at' in step);
  if (at === -1 || mapped === null) return mapped;
  const above = steps.slice(0, at).flatMap((step) => ('key' in step ? [step.key] : []));
  return above.length === 0 ? mapped : above.join('.');
};

/** Reads a column from the innermost row object that it belongs to. */
const valuesReader = (
  path: ColumnPath,
  levels: readonly RowLevel[],
): ((row: Row) => readonly JsonValue[]) => {
  const { depth, steps } = placeInRow(path, levels);
  const read = (row: Row): readonly JsonValue[] => valuesAt(row[depth], steps);
  if (path.isCount)
    return (row) => {
      const lists = read(row);
      return lists.length === 0 ? [] : [lists.flatMap(storedValues).filter(isJsonObject).length];
    };
  return path.isOpened ? (row) => read(row).flatMap(storedValues) : read;
};

/** Depth 0 is the document. */
const placeInRow = (
  path: ColumnPath,
  levels: readonly RowLevel[],
): { readonly depth: number; readonly steps: readonly Step[] } => {
  let depth = 0;
  let steps = path.steps;
  while (depth < levels.length && startsWith(steps, levels[depth]!.steps)) {
    steps = steps.slice(levels[depth]!.steps.length);
    depth++;
  }
  return { depth, steps };
};

/** The object of a row itself, and one selected by index, are read from the level above. */
const startsWith = (steps: readonly Step[], start: readonly Step[]): boolean =>
  steps.length > start.length &&
  'key' in steps[start.length]! &&
  start.every((step, position) => {
    const other = steps[position]!;
    return 'key' in step && 'key' in other && step.key === other.key;
  });
