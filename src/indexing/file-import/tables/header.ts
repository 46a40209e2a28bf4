import { invalidInput } from '../../../lib/errors/errors.ts';
import { aggregationName, fieldNameOffers, nameCollision } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { mappingType } from '../../mapping-body.ts';
import { foreignNotice, isForeign, latinName } from '../foreign-names.ts';
import type { TableColumn } from '../records/source-record.ts';

/** The columns of a header line, and a sentence for each kind of name that could not be a field. */
export interface Header {
  readonly columns: readonly TableColumn[];
  readonly notices: readonly string[];
}

/**
 * A header line as columns. The field of a column is its name, except that
 * - a dot only makes an object if several names share their first part and the rest are plain words;
 * - blank names are `column_1`, a repeated name gets a number, and names outside the Latin script, which GraphQL does not
 *   allow, are replaced by one made from the name alone, so that every file gets the same.
 * A field of the mapping keeps its path, and a name with dots keeps its field from an earlier file.
 * @param dots whether dots are text or make objects; undefined: as above
 * @throws TributaryError INPUT_INVALID two columns that map to one field, or a column that is both a field and an
 *   object, naming both and suggesting other names
 */
export const readHeader = (
  labels: readonly string[],
  properties: JsonObject | null,
  dots: 'text' | 'objects' | undefined,
  dotted: ReadonlyMap<string, string> = new Map(),
): Header => {
  const isMapped = (label: string): boolean => properties !== null && mappingType(properties, label) !== null;
  const objects = objectPrefixes(labels);
  const isObject = (label: string): boolean =>
    isMapped(label) || dots === 'objects' || (dots === undefined && objects.has(label.split('.')[0]!));
  const used = new Set(labels);
  const plain = labels.map((label, at) => {
    if (label === '' || labels.indexOf(label) !== at) return null;
    const before = dotted.get(label);
    if (before !== undefined && (before === label || !used.has(before))) {
      used.add(before);
      return before;
    }
    if (isMapped(label)) return label;
    if (label.includes('.') && isObject(label)) return label.split('.').map(latinPart).join('.');
    return isForeign(label) || label.includes('.') ? null : label;
  });
  rejectConflicts(plain.filter((name) => name !== null));
  const taken = new Set(plain.flatMap((name) => (name === null ? [] : [aggregationName(name)])));
  const notices = { repeated: [] as string[], dotted: [] as string[], foreign: [] as string[] };
  const columns = labels.map((label, at): TableColumn => {
    const kept = plain[at];
    if (typeof kept === 'string') {
      if (kept !== label && !dotted.has(label)) notices.foreign.push(`"${label}" as ${kept}`);
      return { field: kept, label, position: at, isNamed: true };
    }
    const field = unusedName(madeUpName(label, at, isObject(label)), taken);
    taken.add(aggregationName(field));
    const first = labels.indexOf(label);
    if (label === '') return { field, label: field, position: at, isNamed: false };
    if (first !== at) {
      notices.repeated.push(`${label} (column ${String(at + 1)} as column ${String(first + 1)}) as ${field}`);
      return {
        field,
        label: `${label} ${field.slice(field.lastIndexOf('_') + 1)}`,
        position: at,
        isNamed: true,
      };
    }
    (label.includes('.') ? notices.dotted : notices.foreign).push(`"${label}" as ${field}`);
    return { field, label, position: at, isNamed: true };
  });
  return { columns, notices: sentences(notices) };
};

const sentences = (
  made: Readonly<Record<'repeated' | 'dotted' | 'foreign', readonly string[]>>,
): readonly string[] => [
  ...(made.repeated.length === 0
    ? []
    : [`names that occur again in the header are loaded with a number: ${made.repeated.join(', ')}`]),
  ...(made.dotted.length === 0
    ? []
    : [`dots are part of names: ${made.dotted.join(', ')} (--dots objects makes objects of them)`]),
  ...foreignNotice(made.foreign),
];

const plainWord = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;

/** The first parts that several dotted names share, if all parts are plain words and none is a column itself. */
const objectPrefixes = (labels: readonly string[]): ReadonlySet<string> => {
  const names = new Set(labels);
  const groups = new Map<string, Set<string>>();
  for (const label of names) {
    const [first = '', ...rest] = label.split('.');
    if (rest.length > 0) groups.set(first, (groups.get(first) ?? new Set()).add(label));
  }
  const objects = objectsAround(names);
  const isObject = ([first, members]: readonly [string, ReadonlySet<string>]): boolean =>
    members.size > 1 &&
    !names.has(first) &&
    [...members].every((label) => label.split('.').every((part) => plainWord.test(part.trim()))) &&
    ![...members].some((label) => objects.has(label));
  return new Set([...groups].filter(isObject).map(([first]) => first));
};

/** The paths of all objects that names with dots are in. */
const objectsAround = (names: Iterable<string>): ReadonlySet<string> => {
  const objects = new Set<string>();
  for (const name of names)
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
      objects.add(name.slice(0, dot));
  return objects;
};

/** A part of a name between dots, as in documents; a blank one is reported as a conflict. */
const latinPart = (part: string): string => (part.trim() !== '' && isForeign(part) ? latinName(part) : part);

const madeUpName = (label: string, at: number, isObject: boolean): string => {
  if (label === '') return `column_${String(at + 1)}`;
  if (isForeign(label)) return latinName(label);
  if (isObject) return label;
  const name = label.replace(/^\.+\s*|\s*\.+$/g, '').replace(/\s*\.+\s*/g, '_');
  return name === '' ? `column_${String(at + 1)}` : name;
};

const unusedName = (name: string, taken: ReadonlySet<string>): string => {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}_${String(number)}`;
    if (!taken.has(aggregationName(tried))) return tried;
  }
};

const rejectConflicts = (names: readonly string[]): void => {
  const dotted = names.find((name) => name.split('.').some((part) => part.trim() === ''));
  if (dotted !== undefined)
    throw invalidInput(
      `the column "${dotted}" has an empty part beside a dot, which separates objects: rename it, for example to ${dotted
        .split('.')
        .filter((part) => part.trim() !== '')
        .join('.')}`,
    );
  const objects = objectsAround(names);
  const inside = names.find((name) => objects.has(name));
  if (inside !== undefined)
    throw invalidInput(
      `the column "${inside}" cannot hold values and be the object of "${names.find((other) => other.startsWith(`${inside}.`)) ?? ''}": rename it, for example to ${inside}.value`,
    );
  const collision = nameCollision(names);
  if (collision === null) return;
  const { first, second, name } = collision;
  const [one, other] = fieldNameOffers(first, second);
  throw invalidInput(
    `the columns "${first}" and "${second}" would both be ${name} in GraphQL: rename them in the header, for example to ${one} and ${other}`,
    { details: { columns: [first, second], offered: [one, other] } },
  );
};
