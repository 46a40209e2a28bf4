import { pathsAbove, type Fields } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Catalogue, Substitute } from '../../../search/catalogue.ts';
import type { SearchFn } from '../../../search/query.ts';
import { fieldsOf, releasedDimensions } from '../question/released-counts.ts';
import type { Release } from '../release/release.ts';
import type { Sqon } from '../../../sqon/ast.ts';
import { statementFor, strataFor } from './covered-strata.ts';

/** The catalogue as the release shows it: its fields, and nothing derived from the records. */
export const guardedView = (
  catalogue: Catalogue,
  release: Release | null,
  search: SearchFn,
  refused: string | null,
): Substitute => {
  const { survival, ...config } = catalogue.config;
  const fields: Fields = release === null ? new Map() : fieldsOf(release, config);
  const isReleased = ({ fieldName }: { readonly fieldName: string }): boolean =>
    fields.has(fieldName.replaceAll('__', '.')) || fields.has(fieldName);
  const { default: byDefault, threshold, unit } = config.disclosure!;
  return {
    id: catalogue.id,
    config: {
      ...config,
      esIndex: null,
      switches: { ...config.switches, enableSets: false },
      extended: config.extended.filter(isReleased),
      facets: config.facets?.filter(isReleased) ?? null,
      matchbox: [],
      table: { ...config.table, columns: [], defaultSorting: [], rowIdFieldName: 'id' },
      // state that portals store here may name fields that are not released
      charts: { query: '' },
      ...(survival && [survival.time, survival.event].every((name) => fields.has(name)) && { survival }),
    },
    fields,
    mapping: mappingOf(fields),
    aliases: [],
    warnings: [],
    generatedAt: '1970-01-01T00:00:00.000Z',
    search,
    disclosure: (access, tier = byDefault === 'boolean' ? byDefault : 'counts') => ({
      tier,
      threshold: release?.threshold ?? threshold,
      counted: release?.unit ?? unit,
      ...(release === null ? { date: null } : statementFor(release, coveredBy(access, release))),
      ...(refused !== null && { refused }),
    }),
    released: release === null ? [] : releasedDimensions(release),
  };
};

/** Empty for an access filter that search refuses. */
const coveredBy = (access: Sqon | null, release: Release): readonly (string | null)[] => {
  try {
    return strataFor(access, release);
  } catch {
    return [];
  }
};

/** The mapping of the released fields alone. */
const mappingOf = (fields: Fields): JsonObject => {
  const parentOf = (path: string): string => pathsAbove(path).findLast((above) => fields.has(above)) ?? '';
  const below = (parent: string): JsonObject =>
    Object.fromEntries(
      [...fields.values()]
        .filter(({ path }) => parentOf(path) === parent)
        .map(({ path, type, kind }) => {
          const name = path.slice(parent === '' ? 0 : parent.length + 1);
          const isObject = kind === 'object' || kind === 'nested';
          return [
            name,
            isObject ? { ...(kind === 'nested' && { type }), properties: below(path) } : { type },
          ];
        }),
    );
  return below('');
};
