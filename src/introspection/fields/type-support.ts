/** How each engine supports a type, for documentation and messages. */
export interface TypeSupport {
  readonly type: string;
  readonly embedded: string;
  readonly opensearch: string;
  readonly elasticsearch: string;
}

const everywhere = { embedded: 'yes', opensearch: 'yes', elasticsearch: 'yes' };

/** Where engines or versions of a server differ in a type, and the types that existing indexes use beside common ones. */
export const typeSupport: readonly TypeSupport[] = [
  { type: 'ip', ...everywhere },
  {
    type: 'keyword with a normalizer',
    embedded: '`lowercase`, `asciifolding`, `trim`; others are named by `load` and `check`',
    opensearch: 'any',
    elasticsearch: 'any',
  },
  {
    type: 'constant_keyword',
    embedded: 'with a `value`; without one a keyword',
    opensearch: 'with a `value`; left out where the indexes of an alias have different ones',
    elasticsearch: 'yes',
  },
  { type: 'date_nanos', ...everywhere },
  { type: 'version', embedded: 'yes', opensearch: 'no such type in version 2', elasticsearch: 'yes' },
  { type: 'multi-fields, alias', ...everywhere },
  { type: 'integer_range, long_range, float_range, double_range, ip_range', ...everywhere },
  {
    type: 'date_range',
    embedded: '`gt` in a document is behind the start of its day',
    opensearch: '`gt` in a document is behind the start of its day',
    elasticsearch: '`gt` in a document is behind the whole day',
  },
  {
    type: 'flattened',
    embedded: 'yes, under both names',
    opensearch: 'called `flat_object`; filters only, keys by whole values and prefixes',
    elasticsearch: 'yes; filters find keys by whole values and prefixes',
  },
  {
    type: 'text with an analyzer',
    embedded: 'the standard analyzer; others are named by `load` and `check`',
    opensearch: 'any',
    elasticsearch: 'any',
  },
];

/** A hint for a server that has no type of that name; undefined if there is none. */
export const typeHint = (
  type: string,
  product: keyof Omit<TypeSupport, 'type' | 'embedded'>,
): string | undefined => {
  const note = typeSupport.find((row) => row.type === type)?.[product];
  return note === 'yes' ? undefined : note;
};
