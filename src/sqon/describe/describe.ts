import type { ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import { displayNameOf } from '../../introspection/fields/names.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { operatorsOf } from './operators.ts';

/** One entry of the `fields` map of `GET /introspection/{catalogue}`; the description is absent unless configured. */
export interface FieldDescription {
  readonly displayName: string;
  readonly type: string;
  /** null when none is configured: existing clients expect the key on every field. */
  readonly unit: string | null;
  readonly description?: string;
}

export interface FieldsDescription {
  /** By dotted path, in alphabetical order, including objects and nested fields. */
  readonly fields: Readonly<Record<string, FieldDescription>>;
  /** By type, for the types that occur. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
}

/**
 * The `fields` and `operators` of a catalogue's introspection payload. `id`, which the schema always has, is listed
 * only when it is configured.
 */
export const describeFields = (fields: Fields, extended: readonly ExtendedEntry[]): FieldsDescription => {
  const configured = new Map(extended.map((entry) => [entry.fieldName, entry]));
  const sorted = [...fields.values()]
    .filter(({ path }) => path !== 'id' || configured.has(path))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
  return {
    fields: Object.fromEntries(
      sorted.map(({ path, type }) => [path, describeField(path, type, configured.get(path))]),
    ),
    operators: Object.fromEntries(sorted.map(({ type }) => [type, operatorsOf(type)])),
  };
};

const describeField = (path: string, type: string, entry: ExtendedEntry | undefined): FieldDescription => ({
  displayName: entry?.displayName ?? displayNameOf(path),
  type,
  unit: entry?.unit ?? null,
  ...(entry?.description === undefined ? {} : { description: entry.description }),
});
