import type { Catalogue } from './catalogue.ts';
import type { FieldNames } from './config.ts';

/** A catalogue with the names that a consortium gives its fields in a language; the server's own for the others. */
export const inLanguage = (catalogue: Catalogue, names: FieldNames, language: string): Catalogue => {
  const nameOf = (path: string, name: string): string => {
    const text = Object.hasOwn(names, path) ? names[path]! : name;
    return typeof text === 'string' ? text : (text[language] ?? name);
  };
  return {
    ...catalogue,
    fields: new Map(
      [...catalogue.fields].map(([path, field]) => [path, { ...field, name: nameOf(path, field.name) }]),
    ),
    columns: catalogue.columns.map((column) => ({ ...column, name: nameOf(column.path, column.name) })),
  };
};
