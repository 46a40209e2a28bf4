import type { GraphQLSchema } from 'graphql';
import type { Field, Fields } from '../../src/introspection/fields/field.ts';
import { kindOf } from '../../src/introspection/fields/field.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { configOf } from '../../test/introspection/fixture.ts';
import { documentType } from './answers.ts';

/** Paths and their types. */
type FieldTypes = Readonly<Record<string, string>>;

const fieldsOf = (types: FieldTypes): Fields =>
  new Map(
    Object.entries(types).map(([path, type]): [string, Field] => [
      path,
      {
        path,
        type,
        kind: kindOf(type),
        nestedIn: [],
        isArray: false,
        indexField: { path, type, nestedIn: [] },
      },
    ]),
  );

/** The schema that a node with these fields serves. */
export const stubSchema = (fieldTypes: FieldTypes): GraphQLSchema =>
  buildCatalogueSchema({
    id: documentType,
    config: configOf({ catalogueId: documentType, documentType, esIndex: documentType }),
    fields: fieldsOf(fieldTypes),
    mapping: {},
    aliases: [],
    warnings: [],
    generatedAt: new Date().toISOString(),
    search: () => Promise.reject(new Error('a stub searches nothing')),
  });

/** How such a node describes its fields. */
export const extendedAnswer = (fieldTypes: FieldTypes): string =>
  JSON.stringify({
    data: {
      [documentType]: {
        configs: { extended: Object.entries(fieldTypes).map(([fieldName, type]) => ({ fieldName, type })) },
      },
    },
  });
