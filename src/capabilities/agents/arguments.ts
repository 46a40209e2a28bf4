import type { z } from 'zod';
import { isJsonObject, withoutNulls } from '../../lib/json/json.ts';

/** The input of each tool, by its name. */
export type ToolInputs = Readonly<Record<string, z.ZodObject>>;

/**
 * A message with the arguments of its tool as they are meant: models write null for an optional argument, lists and
 * numbers as texts, texts as numbers, and one item in place of a list. What fits no reading stays, for the error to name it.
 */
export const withMeantArguments = (message: unknown, inputs: ToolInputs): unknown => {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return message;
  const { name, arguments: sent } = message['params'];
  if (message['method'] !== 'tools/call' || typeof name !== 'string' || !Object.hasOwn(inputs, name))
    return message;
  const given: unknown = withoutNulls(sent ?? {});
  if (!isJsonObject(given)) return message;
  const { shape } = inputs[name]!;
  const meant = Object.entries(given).map(([key, value]) => [
    key,
    Object.hasOwn(shape, key) ? readAs(value, shape[key]!) : value,
  ]);
  return { ...message, params: { ...message['params'], arguments: Object.fromEntries(meant) } };
};

/** The first reading that fits. */
const readAs = (value: unknown, expected: z.core.$ZodType): unknown => {
  const parsed = typeof value === 'string' ? parsedJson(value) : [];
  const written = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : String(value);
  const readings = [value, ...parsed, ...parsed.map((one) => [one]), written, [value]];
  return readings.find((one) => (expected as z.ZodType).safeParse(one).success) ?? value;
};

/** The value that a text is in JSON, without nulls; none for any other text. */
const parsedJson = (text: string): readonly unknown[] => {
  try {
    return [withoutNulls(JSON.parse(text))];
  } catch {
    return [];
  }
};
