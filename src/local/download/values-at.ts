import { isJsonObject, type JsonValue } from '../../json.ts';
import { storedValues } from '../hits/field-value.ts';
import type { Step } from './column-path.ts';

/**
 * What stands at the end of the steps, once for each way there is: lists on the way are opened, one at the end stays
 * as it is. Null and absent are nothing.
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
    // a single object stored where a list is usual is its first item
    walk(storedValues(value)[step.at], steps, position + 1, found);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) walk(item, steps, position, found);
  } else if (isJsonObject(value) && Object.hasOwn(value, step.key)) {
    walk(value[step.key], steps, position + 1, found);
  }
};
