import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';

/** An object inside an answer; an empty one when it is absent. */
export const objectIn = (answer: JsonObject, name: string): JsonObject => {
  const value = answer[name];
  return isJsonObject(value) ? value : {};
};

/** The objects of a list inside an answer. */
export const objectsIn = (answer: JsonObject, name: string): readonly JsonObject[] => {
  const value = answer[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
};

/** A number inside an answer, 0 when it is absent. */
export const numberIn = (answer: JsonObject, name: string): number => Number(answer[name] ?? 0);
