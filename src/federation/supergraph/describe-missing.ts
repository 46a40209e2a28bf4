import type { GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { isSharedType } from './share-types.ts';

interface Describable {
  description: string | null | undefined;
}

/**
 * Adds a description to every type, field, argument and value of a node's schema that lacks one: the established server
 * describes nothing. The schema is modified in place; types shared by nodes are already our own.
 */
export const describeMissing = (schema: GraphQLSchema, description: string): void => {
  const describe = (one: Describable): void => {
    if (!one.description) one.description = description;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSharedType(type)) continue;
    describe(type);
    if (isEnumType(type)) type.getValues().forEach(describe);
    if (isInputObjectType(type)) Object.values(type.getFields()).forEach(describe);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      describe(field);
      field.args.forEach(describe);
    }
  }
};
