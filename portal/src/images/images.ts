import type { Row } from '../api/answer.ts';
import type { Catalogue, Column } from '../api/catalogue.ts';
import { isIdentifier, type Field } from '../api/fields.ts';

/** The fields whose values are pictures. */
export const imageFields = ({ fields }: Pick<Catalogue, 'fields'>): readonly Field[] =>
  [...fields.values()].filter(({ isImage }) => isImage === true);

/** Whether some records of a catalogue may have pictures that this visitor may see. */
export const hasImages = (catalogue: Pick<Catalogue, 'fields' | 'disclosure' | 'source'>): boolean =>
  catalogue.disclosure === null &&
  (catalogue.source.imageHosts ?? []).length > 0 &&
  imageFields(catalogue).length > 0;

/**
 * The addresses of a record's pictures, each once.
 * @param valuesAt the values of a field
 */
export const picturesOf = (
  catalogue: Pick<Catalogue, 'fields' | 'source'>,
  valuesAt: (path: string) => unknown,
): readonly string[] => [
  ...new Set(
    imageFields(catalogue).flatMap((field) =>
      textsOf(valuesAt(field.path)).flatMap((value) => pictureAt(catalogue, field, value) ?? []),
    ),
  ),
];

/** The address at which a value is shown as a picture: by https, on a listed host; null: it is shown like any other value. */
export const pictureAt = (
  { source: { imageHosts = [] } }: Pick<Catalogue, 'source'>,
  field: Pick<Field, 'isImage'> | undefined,
  value: unknown,
): string | null => {
  if (field?.isImage !== true || typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  // old records have http addresses of hosts that have long used https
  if (url.protocol === 'http:') url.protocol = 'https:';
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  const isListed = imageHosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host,
  );
  return isPlain && isListed ? url.href : null;
};

const textsOf = (value: unknown): readonly unknown[] =>
  [value].flat(Infinity).filter((one) => one !== null && one !== undefined);

/** The fields that give a record's name and kind next to its picture: chosen from the owners' columns and facets. */
export interface NamingFields {
  readonly title: string | null;
  readonly kind: string | null;
}

export const namingFields = ({ columns, facets, fields }: Catalogue): NamingFields => {
  const isText = (path: string): boolean => {
    const { kind, isImage } = fields.get(path) ?? {};
    return (kind === 'values' || kind === 'text') && isImage !== true;
  };
  const own = columns.filter((column) => column.own === undefined).map(({ path }) => path);
  const isTitle = (path: string): boolean => isText(path) && /(^|[._])(title|name|label)$/i.test(path);
  return {
    title:
      [...own, ...fields.keys()].find(isTitle) ??
      own.find((path) => isText(path) && !isIdentifier(path)) ??
      null,
    kind: [...facets, ...fields.keys()].find((path) => isText(path) && isKind.test(path)) ?? null,
  };
};

const isKind = /(^|[._])(class|classification|type|category|kind|medium)$/i;

/** The columns that a page of pictures needs. */
export const pictureColumns = (catalogue: Catalogue): readonly Column[] => {
  const { title, kind } = namingFields(catalogue);
  const paths = [title, kind, ...imageFields(catalogue).map(({ path }) => path)];
  return [...new Set(paths)].flatMap((path) =>
    path === null ? [] : [{ path, name: path, isShown: true, canSort: false }],
  );
};

/** The first value of a field of a row as text. */
export const firstText = ({ values }: Pick<Row, 'values'>, path: string | null): string | null => {
  const [first] = path === null ? [] : textsOf(values[path]);
  return typeof first === 'string' && first.trim() !== '' ? first : null;
};

/** The link for a value, as its field is configured; null if there is none. Only http and https URLs are opened. */
export const linkOf = (field: Pick<Field, 'link'> | undefined, value: unknown): string | null => {
  if (field?.link === undefined || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const text = String(value);
  const address =
    field.link === true ? text : field.link.replaceAll('{value}', () => encodeURIComponent(text));
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
};
