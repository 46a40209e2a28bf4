import type { Fields } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../json/json.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { SearchFn } from '../../search/query.ts';
import { fieldsOf, releasedDimensions } from '../question/released-counts.ts';
import type { Release } from '../release/release.ts';

/** The catalogue as the release shows it: its fields, and nothing that follows the records. */
export const guardedView = (
  catalogue: Catalogue,
  release: Release | null,
  search: SearchFn,
  refused: string | null,
): Catalogue => {
  const { config } = catalogue;
  const fields: Fields = release === null ? new Map() : fieldsOf(release);
  const isReleased = ({ fieldName }: { readonly fieldName: string }): boolean =>
    fields.has(fieldName.replaceAll('__', '.')) || fields.has(fieldName);
  const { threshold, unit } = config.disclosure!;
  return {
    id: catalogue.id,
    config: {
      ...config,
      esIndex: null,
      switches: { ...config.switches, enableSets: false },
      extended: config.extended.filter(isReleased),
      facets: config.facets?.filter(isReleased) ?? null,
      matchbox: [],
      table: { ...config.table, columns: [], defaultSorting: [] },
    },
    fields,
    mapping: mappingOf(fields),
    aliases: [],
    warnings: [],
    generatedAt: `${release?.date ?? '1970-01-01'}T00:00:00.000Z`,
    search,
    disclosure: {
      threshold: release?.threshold ?? threshold,
      counted: release?.unit ?? unit,
      date: release?.date ?? null,
      ...(refused !== null && { refused }),
    },
    released: release === null ? [] : releasedDimensions(release),
  };
};

/** The mapping of the released fields alone. */
const mappingOf = (fields: Fields): JsonObject => {
  const below = (parent: string): JsonObject =>
    Object.fromEntries(
      [...fields.values()]
        .filter(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))) === parent)
        .map(({ path, type, kind }) => {
          const name = path.slice(path.lastIndexOf('.') + 1);
          const isObject = kind === 'object' || kind === 'nested';
          return [
            name,
            isObject ? { ...(kind === 'nested' && { type }), properties: below(path) } : { type },
          ];
        }),
    );
  return below('');
};
