import { createHash } from 'node:crypto';
import { signsName } from '../../introspection/fields/field.ts';
import type { IsOpaque } from '../../introspection/mapping/expanded-keys.ts';
import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { RecordStep } from './convert-documents.ts';

/** Whether a name is blank or a sign such as `#`, or most of its letters are outside the Latin script: GraphQL does not allow it. */
export const isForeign = (name: string): boolean => {
  if (name.trim() === '' || signsName(name) !== null) return true;
  const letters = name.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !/[\p{Script=Latin}\p{Script=Common}]/u.test(letter));
  return foreign.length * 2 > letters.length;
};

/** Makes a valid name from such a name alone, so that every file gets the same one. */
export const latinName = (name: string): string =>
  signsName(name) ?? `column_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;

/** A sentence about such names. @param made each name with the name it is loaded as; empty: no sentence */
export const foreignNotice = (made: readonly string[]): readonly string[] =>
  made.length === 0 ? [] : [`names that GraphQL cannot have are loaded under others: ${made.join(', ')}`];

/** The properties of the index that renaming needs. */
interface Renaming {
  /** Whether the mapping has a field at a path, which keeps its name. */
  readonly isMapped: (path: string) => boolean;
  readonly isOpaque: IsOpaque;
  /** Called for each renamed field once. @param label its dotted path in the documents */
  readonly onRenamed: (field: string, label: string) => void;
}

/** Renames fields of documents whose names GraphQL does not allow, like columns of tables. */
export const latinNames = (renaming: Renaming): RecordStep => {
  const rename = documentRenamer(renaming);
  return (record) => {
    if (record.kind !== 'document') return record;
    const document = rename(record.document);
    if (document === record.document) return record;
    return { ...record, document, rounded: record.rounded && rename(record.rounded) };
  };
};

/** @returns a function that renames the fields of a document; a document without such names is returned itself */
export const documentRenamer = ({
  isMapped,
  isOpaque,
  onRenamed,
}: Renaming): ((document: JsonObject) => JsonObject) => {
  const known = new Map<string, string>();
  const nameAt = (name: string, label: string, parent: string): string => {
    const before = known.get(label);
    if (before !== undefined) return before;
    const made = isForeign(name) && !isMapped(label) ? latinName(name) : name;
    known.set(label, made);
    if (made !== name) onRenamed(parent + made, label);
    return made;
  };
  const value = (given: JsonValue, label: string, path: string): JsonValue => {
    if (Array.isArray(given)) {
      const items = (given as readonly JsonValue[]).map((item) => value(item, label, path));
      return items.some((item, at) => item !== given[at]) ? items : given;
    }
    return isJsonObject(given) ? object(given, `${label}.`, `${path}.`) : given;
  };
  const object = (given: JsonObject, parentLabel: string, parent: string): JsonObject => {
    const renamed: Record<string, unknown> = {};
    let isSame = true;
    for (const [name, below] of Object.entries(given)) {
      const label = parentLabel + name;
      const made = nameAt(name, label, parent);
      const inner = below === undefined || isOpaque(label) ? below : value(below, label, parent + made);
      isSame &&= made === name && inner === below;
      setOwn(renamed, made, inner);
    }
    return isSame ? given : (renamed as JsonObject);
  };
  const hasForeign = foreignFinder();
  return (document) => (hasForeign(document) ? object(document, '', '') : document);
};

/** Maximum distinct names in the cache: documents may be dictionaries. */
const maxNames = 10_000;

/** Whether a value has such a name at any level: most documents have none, so they need not be copied. */
const foreignFinder = (): ((value: JsonValue | undefined) => boolean) => {
  const known = new Map<string, boolean>();
  const isForeignName = (name: string): boolean => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= maxNames) known.clear();
    known.set(name, isForeign(name));
    return known.get(name)!;
  };
  const hasForeign = (value: JsonValue | undefined): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some(hasForeign);
    const object = value as JsonObject;
    for (const name in object) if (isForeignName(name) || hasForeign(object[name])) return true;
    return false;
  };
  return hasForeign;
};
