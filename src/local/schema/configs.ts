import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig, facetsConfig, tableConfig } from '../../introspection/fields/field-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';

interface ExtendedArgs {
  readonly fieldNames?: readonly (string | null)[] | null;
}

/**
 * What `configs` answers: one value or function for each field of ConfigsWithState, made only when it is asked.
 * `extended(fieldNames)` gives those fields only.
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
