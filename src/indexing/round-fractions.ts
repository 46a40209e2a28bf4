import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '../lib/json/json.ts';
import { kindOf } from '../introspection/fields/field.ts';
import { placed, type ValuePlace } from './file-import/inference/field-evidence.ts';
import { mappingType } from './mapping-body.ts';

/** The digits of a fraction: whole numbers that a double would round keep theirs. */
const isFraction = (digits: string): boolean => !/^-?\d+$/.test(digits);

/**
 * A document whose fractions of more digits than a double keeps are the nearest doubles, except in fields of text.
 * @param rounded the document with a number for all digits that were kept; null if there are none
 * @param properties the mapping's, which decide what is text
 * @param onRounded called with the field and the digits of each such fraction
 */
export const roundFractions = (
  { document, rounded }: { readonly document: JsonObject; readonly rounded: JsonObject | null },
  properties: JsonObject,
  onRounded: (path: string, digits: string) => void = () => undefined,
): JsonObject => {
  if (rounded === null) return document;
  const value = (exact: JsonValue, number: JsonValue | undefined, path: string): JsonValue => {
    if (typeof exact === 'string' && typeof number === 'number') {
      if (!isFraction(exact) || isText(mappingType(properties, path))) return exact;
      onRounded(path, exact);
      return number;
    }
    if (Array.isArray(exact) && Array.isArray(number))
      return (exact as readonly JsonValue[]).map((item, at) =>
        value(item, (number as readonly JsonValue[])[at], path),
      );
    return isJsonObject(exact) && isJsonObject(number) ? object(exact, number, `${path}.`) : exact;
  };
  const object = (exact: JsonObject, numbers: JsonObject, prefix: string): JsonObject => {
    const made: Record<string, unknown> = {};
    for (const [name, below] of Object.entries(exact))
      if (below !== undefined) setOwn(made, name, value(below, numbers[name], prefix + name));
    return made as JsonObject;
  };
  return object(document, rounded, '');
};

const isText = (type: string | null): boolean =>
  type !== null && (kindOf(type) === 'keyword' || kindOf(type) === 'text');

/** Fractions of one field that were rounded, and the first of them. */
export interface RoundedFractions {
  readonly count: number;
  readonly first: ValuePlace;
}

/** Rounds the fractions of the documents of a file, and counts them by field. */
export const fractionRounder = () => {
  const fields = new Map<string, RoundedFractions>();
  return {
    fields: fields as ReadonlyMap<string, RoundedFractions>,
    round: (
      record: Parameters<typeof roundFractions>[0] & { readonly line: number; readonly file?: string },
      properties: JsonObject,
    ): JsonObject =>
      roundFractions(record, properties, (path, digits) => {
        const { count, first } = fields.get(path) ?? {
          count: 0,
          first: placed(record.line, record.file, digits),
        };
        fields.set(path, { count: count + 1, first });
      }),
  };
};
