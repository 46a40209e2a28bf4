import { capital, pluralOf, singular } from '../i18n/plural.ts';
import { nestedAbove } from './filter.ts';
import type { Catalogue } from './catalogue.ts';
import type { Plural } from './config.ts';
import type { Field } from './fields.ts';

/** The nouns for one record of a source and for several, in a language; null: none configured. */
export const recordNouns = (
  { documentType, source }: Pick<Catalogue, 'documentType' | 'source'>,
  language: string,
): Plural | null => {
  if (documentType === null) return null;
  const { recordNames = {} } = source;
  const own = Object.hasOwn(recordNames, documentType) ? recordNames[documentType]?.[language] : undefined;
  if (own !== undefined) return own;
  if (language !== 'en' || /^(records?|documents?|hits?)$/i.test(documentType)) return null;
  const one = documentType
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return { one: singular(one), other: pluralOf(one) };
};

type Named = Pick<Catalogue, 'fields'>;

/** The nested list whose objects the facet of a field counts; null: records. */
export const objectOf = (path: string, { fields }: Named): string | null =>
  nestedAbove(path, fields).at(-1) ?? null;

/** The name of a nested list. */
export const objectName = (path: string, { fields }: Named): string => fields.get(path)?.name ?? path;

/** The name of a field next to the name of its objects: "Specimen type" of "Specimens" is "Type". */
export const nameWithin = ({ name }: Pick<Field, 'name'>, object: string | null): string => {
  if (object === null) return name;
  const prefix = [object, singular(object)].find((one) =>
    name.toLowerCase().startsWith(`${one.toLowerCase()} `),
  );
  if (prefix === undefined) return name;
  return capital(name.slice(prefix.length + 1));
};
