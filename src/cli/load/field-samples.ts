import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';

/** What the first documents show about a field. */
export interface FieldSample {
  /** Distinct values, counted up to 100. */
  readonly distinct: number;
  /** Whether some value is a list of scalars. */
  readonly isArray: boolean;
}

const countedValues = 100;

interface Collected {
  readonly values: Set<JsonValue>;
  isArray: boolean;
}

/** By dotted path, for every path with a scalar or a list of scalars. */
export const fieldSamples = (documents: readonly JsonObject[]): ReadonlyMap<string, FieldSample> => {
  const collected = new Map<string, Collected>();
  for (const document of documents) collect(document, '', false, collected);
  return new Map(
    [...collected].map(([path, { values, isArray }]) => [path, { distinct: values.size, isArray }]),
  );
};

const collect = (
  value: JsonValue,
  path: string,
  inList: boolean,
  collected: Map<string, Collected>,
): void => {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const element of value as readonly JsonValue[]) collect(element, path, true, collected);
    return;
  }
  if (isJsonObject(value)) {
    for (const [name, below] of Object.entries(value))
      if (below !== undefined) collect(below, path === '' ? name : `${path}.${name}`, false, collected);
    return;
  }
  const found = collected.get(path) ?? { values: new Set(), isArray: false };
  if (found.values.size < countedValues) found.values.add(value);
  found.isArray ||= inList;
  collected.set(path, found);
};
