import type { Row } from '../api/answer.ts';
import type { Catalogue, Column } from '../api/catalogue.ts';
import { request } from '../api/server.ts';
import { isIdentifier, type Field } from '../api/fields.ts';

/** The path of a record's picture, below the API. */
export interface PictureAt {
  readonly path: string;
  readonly field: string;
}

/** The fields whose values are pictures. */
export const imageFields = ({ fields }: Pick<Catalogue, 'fields'>): readonly Field[] =>
  [...fields.values()].filter(({ isImage }) => isImage === true);

/** Whether some records of a catalogue may have pictures that this visitor may see. */
export const hasImages = (catalogue: Pick<Catalogue, 'fields' | 'disclosure'>): boolean =>
  catalogue.disclosure === null && imageFields(catalogue).length > 0;

/**
 * The pictures of a record.
 * @param valuesAt the values of a field
 */
export const picturesOf = (
  catalogue: Pick<Catalogue, 'fields' | 'source'>,
  { id, nodeId }: Pick<Row, 'id' | 'nodeId'>,
  valuesAt: (path: string) => unknown,
): readonly PictureAt[] => {
  const { path, kind } = catalogue.source;
  const record = [...(kind === 'network' ? [nodeId ?? ''] : []), id].map(encodeURIComponent).join('/');
  return imageFields(catalogue).flatMap((field) =>
    textsOf(valuesAt(field.path)).flatMap((value, at) =>
      value === ''
        ? []
        : [
            {
              path: `${path}/images/${record}/${encodeURIComponent(field.path)}/${at}`,
              field: field.path,
            },
          ],
    ),
  );
};

/** A picture as the server passes it on, requested with the visitor's token like all data. @throws ApiError */
export const fetchPicture = async (path: string, signal?: AbortSignal): Promise<Blob> =>
  (await request(path, { signal: signal ?? null, headers: { accept: 'image/*' } })).blob();

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
