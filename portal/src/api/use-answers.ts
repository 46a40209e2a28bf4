import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { unitIn } from '../i18n/formats.ts';
import { catalogueQuery, extentsQuery, overviewQuery } from './queries.ts';
import type { Catalogue } from './catalogue.ts';
import type { Source, FieldNames } from './config.ts';
import type { FacetSizes, Question } from './questions.ts';
import { currentSession, followSession, type Session } from './session.ts';

/** The catalogue of a source; fetched once, and named in any language, as are its units. */
export const useCatalogue = (source: Source, language: string) => {
  const { fieldNames } = source;
  const select = useCallback(
    (catalogue: Catalogue) => inLanguage(catalogue, fieldNames ?? {}, language),
    [fieldNames, language],
  );
  return useQuery({ ...catalogueQuery(source), select });
};

/** The numbers of a query. While the next query is fetched, the last numbers stay, marked by `isPlaceholderData`. */
export const useOverview = (
  catalogue: Catalogue | undefined,
  question: Question,
  paths: readonly string[],
  sizes: FacetSizes,
) => {
  const input = { ...(catalogue === undefined ? {} : { catalogue }), question, paths, sizes };
  const overview = useQuery({
    ...overviewQuery(useQueryClient(), input),
    placeholderData: keepPreviousData,
  });
  // fetched by the query itself: here they are only read
  const { data: extents } = useQuery({
    ...extentsQuery(catalogue, paths),
    enabled: false,
    placeholderData: keepPreviousData,
  });
  return { ...overview, extents };
};

/** A catalogue with a consortium's field names in a language, else those that its institutions state. */
export const inLanguage = (catalogue: Catalogue, names: FieldNames, language: string): Catalogue => {
  const nameOf = (path: string, name: string): string => {
    const stated = catalogue.fields.get(path)?.names?.[language] ?? name;
    const text = Object.hasOwn(names, path) ? names[path]! : stated;
    return typeof text === 'string' ? text : (text[language] ?? stated);
  };
  return {
    ...catalogue,
    fields: new Map(
      [...catalogue.fields].map(([path, field]) => {
        const all = Object.hasOwn(names, path) ? names[path] : undefined;
        const others = { ...field.names, ...(typeof all === 'object' && all) };
        const unit = field.unit === null ? null : unitIn(field.unit, language);
        return [path, { ...field, name: nameOf(path, field.name), names: others, unit }];
      }),
    ),
    columns: catalogue.columns.map((column) => ({ ...column, name: nameOf(column.path, column.name) })),
  };
};

/** The session, for a component that follows its changes. */
export const useSession = (): Session => useSyncExternalStore(followSession, currentSession);
