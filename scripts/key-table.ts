import { z } from 'zod';
import { maxShown } from '../src/introspection/fields/key.ts';

/** Where keys that several objects have in common are listed: their rows, as text, and the path of the first object. */
export type Listed = Map<string, string>;

/**
 * A schema's keys at every depth as a Markdown table: key, type, default, meaning.
 * @param listed the keys of earlier tables, which this one refers to
 */
export const keyTable = (schema: z.ZodObject | z.ZodRawShape, listed: Listed = new Map()): string =>
  markdownTable(['key', 'type', 'default', 'meaning'], cellsOf(rowsOf(shapeOf(schema), '', listed)));

/** The table of environment variables; their values are texts without quotes. */
export const variableTable = (variables: z.ZodRawShape): string =>
  markdownTable(
    ['variable', 'type', 'default', 'meaning'],
    cellsOf(rowsOf(variables, '', new Map())).map((cells) =>
      cells.map((cell) => cell.replace(/^`"(.*)"`$/, '`$1`')),
    ),
  );

/** A table in Markdown; escapes `|` in its cells. */
const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

const cellsOf = (rows: readonly Row[]): readonly (readonly string[])[] =>
  rows.map(({ path, cells }) => [`\`${path}\``, ...cells]);

const shapeOf = (schema: z.ZodObject | z.ZodRawShape): z.ZodRawShape =>
  schema instanceof z.ZodObject ? schema.shape : schema;

interface Row {
  readonly path: string;
  /** Type, default and meaning. */
  readonly cells: readonly [type: string, byDefault: string, meaning: string];
  /** Whether it is the row of an object, with or without the keys of that. */
  readonly isObject: boolean;
}

const rowsOf = (shape: z.ZodRawShape, prefix: string, listed: Listed): Row[] =>
  Object.entries(shape).flatMap(([key, schema]) => {
    const path = `${prefix}${key}`;
    const described = describe(schema as z.ZodType);
    const { meaning, type, byDefault } = described;
    if (described.isUnlisted) return [];
    if (meaning === undefined) throw new Error(`the key ${path} has no meaning: give its schema one`);
    const below = described.isDescribedElsewhere ? [] : rowsBelow(described.schema, path, listed);
    const members = membersText(below, path);
    const form = members === null ? type : type.replace(/objects?$/, members.form);
    const isObject = below.length > 0 || /(^|of )objects?$/.test(type);
    const row = (text: string): Row => ({ path, cells: [form, byDefault, text], isObject });
    const text = JSON.stringify(below).replaceAll(path, '');
    const first = listed.get(text);
    if (below.length > 1 && first !== undefined) return [row(`${meaning} Keys as in \`${first}\`.`)];
    listed.set(text, path);
    return members === null ? [row(meaning), ...below] : [row(`${meaning} ${members.text}`)];
  });

const mostMembers = 5;

/** Defaults that go without saying within a row. */
const isUsual = /^(|required|`(false|\[\]|\{\})`)$/;

/** A few keys without keys of their own, as part of the row of their object; null: they have rows. */
const membersText = (
  rows: readonly Row[],
  path: string,
): { readonly form: string; readonly text: string } | null => {
  if (rows.length === 0 || rows.length > mostMembers || rows.some(({ isObject }) => isObject)) return null;
  const nameOf = (row: Row): string => row.path.slice(path.length).replace(/^(\[\]|\.<name>)?\./, '');
  const form = rows.map((row) => (row.cells[1] === 'required' ? nameOf(row) : `${nameOf(row)}?`));
  const texts = rows.map((row) => {
    const [, byDefault, meaning] = row.cells;
    const usual = isUsual.test(byDefault) ? '' : ` (default: ${byDefault})`;
    return `\`${nameOf(row)}\`${usual}: ${meaning.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}`;
  });
  return { form: `\`{${form.join(', ')}}\``, text: texts.join(' ') };
};

/** The keys of an object, or of the entries of a list or of an object of objects. */
const rowsBelow = (schema: z.ZodType, path: string, listed: Listed): Row[] => {
  if (schema instanceof z.ZodObject) return rowsOf(schema.shape, `${path}.`, listed);
  if (schema instanceof z.ZodArray)
    return rowsBelow(describe(schema.element as z.ZodType).schema, `${path}[]`, listed);
  if (schema instanceof z.ZodRecord)
    return rowsBelow(describe(schema.valueType as z.ZodType).schema, `${path}.<name>`, listed);
  if (schema instanceof z.ZodUnion) {
    const objects = schema.options.filter((option) => option instanceof z.ZodObject);
    return objects.flatMap((option) => rowsBelow(option, path, listed));
  }
  return [];
};

interface Described {
  /** Without the wrappers that make it optional, give it a default or transform it. */
  readonly schema: z.ZodType;
  readonly meaning: string | undefined;
  readonly type: string;
  readonly byDefault: string;
  /** The rows of its own keys are in another table. */
  readonly isDescribedElsewhere: boolean;
  readonly isUnlisted: boolean;
}

interface Note {
  readonly description?: string;
  readonly form?: string;
  readonly byDefault?: string;
  readonly isDescribedElsewhere?: boolean;
  readonly isUnlisted?: boolean;
}

const describe = (type: z.ZodType): Described => {
  let schema = type;
  let note: Record<string, unknown> = {};
  let value: unknown;
  for (;;) {
    note = { ...schema.meta(), ...note };
    if (schema instanceof z.ZodDefault) value = schema.def.defaultValue;
    const inner = innerOf(schema);
    if (inner === null) break;
    schema = inner;
  }
  const { description, form, byDefault, isDescribedElsewhere, isUnlisted } = note as Note;
  return {
    schema,
    meaning: description,
    type: form ?? typeOf(schema),
    isDescribedElsewhere: isDescribedElsewhere === true,
    isUnlisted: isUnlisted === true,
    byDefault: byDefault ?? (value === undefined ? withoutDefault(type) : `\`${JSON.stringify(value)}\``),
  };
};

const innerOf = (schema: z.ZodType): z.ZodType | null => {
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType;
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return schema.unwrap() as z.ZodType;
  return null;
};

const withoutDefault = (schema: z.ZodType): string => (schema.safeParse(undefined).success ? '' : 'required');

const typeOf = (schema: z.ZodType): string => {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return 'text';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return numberText(schema);
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((one) => `\`${String(one)}\``).join(', ');
  if (schema instanceof z.ZodArray) return `list of ${pluralOf(describe(schema.element as z.ZodType).type)}`;
  if (schema instanceof z.ZodRecord) return recordText(schema);
  if (schema instanceof z.ZodObject) return 'object';
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => describe(option as z.ZodType).type).join(' or ');
  if (schema instanceof z.ZodUnknown) return 'anything';
  throw new Error(`no words for the type ${schema.def.type}`);
};

const pluralOf = (type: string): string => type.replace(/^(text|object)\b/, '$1s');

const recordText = (schema: z.ZodRecord): string => {
  const value = describe(schema.valueType as z.ZodType).type;
  return value === 'anything' ? 'object' : `object of ${pluralOf(value)}`;
};

const numberText = ({ format, minValue, maxValue }: z.ZodNumber): string => {
  const [least, most] = [limit(minValue), limit(maxValue)];
  if (least === null || format !== 'safeint') return 'number';
  return most === null ? `at least ${least}` : `${least} to ${most}`;
};

/** The bounds of integers are not shown as limits. */
const limit = (value: number | null): number | null =>
  value === null || Math.abs(value) >= maxShown ? null : value;
