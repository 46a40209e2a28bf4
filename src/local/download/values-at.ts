import { isJsonObject, type JsonValue } from '../../json/json.ts';
import { storedValues } from '../hits/field-value.ts';
import type { Step } from './column-path.ts';

/**
 * The values at the end of the steps, one for each way to reach it: lists on the way are flattened, one at the end is
 * returned as it is. Null and absent values are skipped.
 */
export const valuesAt = (value: JsonValue | undefined, steps: readonly Step[]): readonly JsonValue[] => {
  const found: JsonValue[] = [];
  walk(value, steps, 0, found);
  return found;
};

const walk = (
  value: JsonValue | undefined,
  steps: readonly Step[],
  position: number,
  found: JsonValue[],
): void => {
  if (value === undefined || value === null) return;
  const step = steps[position];
  if (step === undefined) {
    found.push(value);
  } else if ('at' in step) {
    // a single object stored in place of a list counts as its first item
    walk(storedValues(value)[step.at], steps, position + 1, found);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) walk(item, steps, position, found);
  } else if (isJsonObject(value) && Object.hasOwn(value, step.key)) {
    walk(value[step.key], steps, position + 1, found);
  }
};
