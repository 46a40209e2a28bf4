import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig, facetsConfig, tableConfig } from '../../introspection/fields/field-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';

interface ExtendedArgs {
  readonly fieldNames?: readonly (string | null)[] | null;
}

/**
 * The source of `configs`: one value or function for each field of ConfigsWithState, evaluated on demand.
 * `extended(fieldNames)` returns those fields only.
 */
export const configsSource = (fields: Fields, config: CatalogueConfig) => ({
  charts: config.charts,
  downloads: config.downloads,
  extended: ({ fieldNames }: ExtendedArgs) => {
    const entries = extendedConfig(fields, config);
    return fieldNames == null ? entries : entries.filter(({ fieldName }) => fieldNames.includes(fieldName));
  },
  facets: () => facetsConfig(fields, config),
  matchbox: config.matchbox,
  table: () => tableConfig(fields, config),
});
