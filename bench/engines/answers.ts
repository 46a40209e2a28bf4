import type { JsonObject, JsonValue } from '../../src/lib/json/json.ts';

/** What a page shows of a document. */
export const pageFields = [
  'id',
  'species',
  'title',
  'collected',
  'weight',
  'tags',
  'donor.country',
  'donor.age',
] as const;

/** What stands at a path of an answer; null where nothing does. */
export const at = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue =>
  path.reduce<JsonValue>((inner, key) => (inner as JsonObject | null)?.[key] ?? null, value ?? null);

/** @throws Error with the answer when there is no list */
export const listAt = (value: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] => {
  const list = at(value, ...path);
  if (!Array.isArray(list))
    throw new Error(`no ${path.join('.')} in ${JSON.stringify(value)?.slice(0, 500)}`);
  return list as readonly JsonValue[];
};

/**
 * A page in one form, whoever answered. Documents of the same moment come in any order without a tie-break, and any of
 * those of the last moment is right: they are left out.
 */
export const pageRows = (total: JsonValue, documents: readonly JsonValue[]): JsonValue => {
  const rows = documents.map((document) => ({
    moment: Date.parse(at(document, 'collected') as string),
    values: pageFields.map((path) => (path === 'collected' ? null : at(document, ...path.split('.')))),
  }));
  const last = rows.at(-1)?.moment;
  return [
    total,
    rows.length,
    rows
      .filter(({ moment }) => moment !== last)
      .sort(
        (one, other) =>
          other.moment - one.moment || (String(one.values[0]) < String(other.values[0]) ? -1 : 1),
      )
      .map(({ moment, values }) => [moment, ...values]),
  ];
};
