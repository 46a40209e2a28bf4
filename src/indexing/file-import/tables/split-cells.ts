import type { JsonValue } from '../../../lib/json/json.ts';
import { parseLosslessJson } from '../records/lossless-json.ts';

/** How a cell contains several values: a separator between them, or a JSON array. */
export type Splitting = string;

/** The splitting of cells that are JSON arrays of plain values. */
const jsonList = 'json';

/** The values of a cell without empty ones; null if a JSON array is expected and the cell is not one. */
export const cellParts = (text: string, splitting: Splitting): readonly string[] | null => {
  if (splitting !== jsonList)
    return text
      .split(splitting)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const values = jsonArray(text);
  return values === null ? null : values.filter((value) => value !== null).map(String);
};

const jsonArray = (text: string): readonly JsonValue[] | null => {
  if (!text.startsWith('[')) return null;
  try {
    const { value } = parseLosslessJson(text);
    return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)
      ? (value as readonly JsonValue[])
      : null;
  } catch {
    return null;
  }
};

const separators = [';', '|', ','] as const;
const longestPart = 80;
const looked = 500;

/** The separators in the texts of a field, as far as they were examined. */
export interface ListEvidence {
  add(text: string): void;
  /** The separator in most texts, if the values between recur; null if there is none. */
  splitting(): Splitting | null;
}

/** Evidence without any texts. */
export const newListEvidence = (): ListEvidence => {
  let texts = 0;
  let [json, filledJson] = [0, 0];
  const found = separators.map((sign) => ({
    sign,
    cells: 0,
    parts: 0,
    fits: true,
    distinct: new Set<string>(),
  }));
  return {
    add: (text) => {
      if (texts >= looked) return;
      texts += 1;
      const values = cellParts(text, jsonList);
      if (values !== null) [json, filledJson] = [json + 1, filledJson + (values.length > 0 ? 1 : 0)];
      for (const one of found) {
        const parts = text.includes(one.sign) ? cellParts(text, one.sign)! : [text];
        if (parts.length > 1 && parts.some((part) => /\p{L}/u.test(part))) one.cells += 1;
        one.fits &&= parts.every((part) => part.length <= longestPart);
        one.parts += parts.length;
        parts.forEach((part) => one.distinct.add(part));
      }
    },
    splitting: () => {
      if (json > 0 && json === texts && filledJson > 0) return jsonList;
      const list = found.find(
        ({ cells, parts, fits, distinct }) =>
          fits && cells > 1 && cells * 2 > texts && distinct.size * 10 <= parts * 7,
      );
      return list?.sign ?? null;
    },
  };
};
