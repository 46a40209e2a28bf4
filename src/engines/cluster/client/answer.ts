import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json.ts';

/** An object inside a response; empty if absent. */
export const objectIn = (answer: JsonObject, name: string): JsonObject => {
  const value = answer[name];
  return isJsonObject(value) ? value : {};
};

/** The objects of a list inside a response. */
export const objectsIn = (answer: JsonObject, name: string): readonly JsonObject[] => {
  const value = answer[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
};

/** A number inside a response; 0 if absent. */
export const numberIn = (answer: JsonObject, name: string): number => Number(answer[name] ?? 0);
