import type { ExecutionResult } from 'graphql';
import { graphql } from 'graphql';
import type { Engine } from '../../src/engines/engine.ts';
import type { CatalogueConfig } from '../../src/introspection/fields/catalogue-config.ts';
import { openCatalogue } from '../../src/local/open-catalogue.ts';
import type { SchemaOptions } from '../../src/local/schema/schema.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { RequestContext } from '../../src/search/request-context.ts';
import { bookConfig, contextWith } from './catalogue-fixture.ts';

export interface Operation {
  readonly source: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly config?: Partial<CatalogueConfig>;
  readonly options?: SchemaOptions;
  readonly context?: RequestContext;
}

export interface Outcome {
  /** Plain objects, as they would be sent. */
  readonly data: unknown;
  readonly errors: readonly string[];
  readonly codes: readonly string[];
  readonly warnings: readonly string[];
}

/** Opens the library on an engine and runs one GraphQL operation against it. */
export const runOperation = async (engine: Engine, operation: Operation): Promise<Outcome> => {
  const state = await openCatalogue(bookConfig(operation.config), engine, {});
  if (state.status === 'failed') throw state.error;
  const context = operation.context ?? contextWith();
  const result: ExecutionResult = await graphql({
    schema: buildCatalogueSchema(state.catalogue, operation.options),
    source: operation.source,
    variableValues: operation.variables,
    contextValue: context,
  });
  const errors = result.errors ?? [];
  return {
    data: JSON.parse(JSON.stringify(result.data ?? null)),
    errors: errors.map(({ message }) => message),
    codes: errors.map(({ originalError }) =>
      originalError instanceof TributaryError ? originalError.code : 'none',
    ),
    warnings: [...context.trace.warnings],
  };
};
