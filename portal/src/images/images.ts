import type { Row } from '../api/answer.ts';
import type { Catalogue, Column } from '../api/catalogue.ts';
import { request } from '../api/server.ts';
import { isIdentifier, type Field } from '../api/fields.ts';

/** Where a picture of a record is, below the API. */
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

/** A picture as the server passes it on, requested with the visitor's token, as everything is. @throws ApiError */
export const fetchPicture = async (path: string, signal?: AbortSignal): Promise<Blob> =>
  (await request(path, { signal: signal ?? null, headers: { accept: 'image/*' } })).blob();

const textsOf = (value: unknown): readonly unknown[] =>
  [value].flat(Infinity).filter((one) => one !== null && one !== undefined);

/** What names a record beside its picture, and what it is: by the columns and facets of its owners. */
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

/** The columns that a page of pictures needs of its records. */
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

/** A link that a value stands for, by what its field says; null: it is none. Only the web's own addresses are opened. */
export const linkOf = (field: Pick<Field, 'link'> | undefined, value: unknown): string | null => {
  if (field?.link === undefined || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const text = String(value);
  const address = field.link === true ? text : field.link.replaceAll('{value}', () => encodeURIComponent(text));
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}; // prettier-ignore
