/** How a field can be counted and filtered. */
export type FieldKind = 'values' | 'numbers' | 'dates' | 'text' | 'nested' | 'other';

/** A field as people see it. */
export interface Field {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly kind: FieldKind;
  readonly unit: string | null;
  readonly description: string | null;
  /** The nodes of a network that have it; null: the only one there is. */
  readonly nodes: readonly string[] | null;
}

const kinds: Readonly<Record<string, FieldKind>> = {
  keyword: 'values',
  constant_keyword: 'values',
  wildcard: 'values',
  ip: 'values',
  version: 'values',
  string: 'values',
  boolean: 'values',
  id: 'values',
  date: 'dates',
  date_nanos: 'dates',
  text: 'text',
  match_only_text: 'text',
  nested: 'nested',
};

const numbers = /^(long|integer|short|byte|unsigned_long|double|float|half_float|scaled_float)$/;

export const kindOfType = (type: string): FieldKind =>
  numbers.test(type) ? 'numbers' : (kinds[type] ?? 'other');

/** Words out of a path, for fields that nobody named: `specimens.files.data_type` is "Specimens files data type". */
export const wordsOf = (path: string): string => {
  const words = path
    .replace(/[._]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Whether a field counts things: values that are different for each record make no facet. */
export const isIdentifier = (path: string): boolean => /(^|[._])(id|uuid|name|url|accession)$|Id$/.test(path);

/** Years are written without groups of thousands. */
export const isYear = (path: string): boolean =>
  /(^|[._])years?([._]|$)/i.test(path) || /[a-z]Year$/.test(path);
