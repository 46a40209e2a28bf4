import type { TributaryError } from '../errors.ts';
import type { CatalogueConfig } from '../introspection/fields/catalogue-config.ts';
import type { Fields } from '../introspection/fields/field.ts';
import type { JsonObject } from '../json.ts';
import type { SearchFn } from './query.ts';
import type { SetStore } from './saved-set.ts';

/** A catalogue that answers. */
export interface Catalogue {
  readonly id: string;
  readonly config: CatalogueConfig;
  readonly fields: Fields;
  /** The index's `properties` as they are, without where documents came from. */
  readonly mapping: JsonObject;
  /** Other names of the index. */
  readonly aliases: readonly string[];
  /** What was left out of the mapping and why. */
  readonly warnings: readonly string[];
  /** ISO 8601, when the mapping was read. */
  readonly generatedAt: string;
  readonly search: SearchFn;
  /** The saved sets of this server; absent when it keeps none. */
  readonly sets?: SetStore;
}

/** A configured catalogue, whether it loaded or not. */
export type CatalogueState =
  | { readonly status: 'available'; readonly config: CatalogueConfig; readonly catalogue: Catalogue }
  | { readonly status: 'failed'; readonly config: CatalogueConfig; readonly error: TributaryError };
