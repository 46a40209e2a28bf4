import type { GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isSpecifiedScalarType } from 'graphql';

/** The types, fields, arguments and values of a schema that have no description. */
export const undescribed = (schema: GraphQLSchema): readonly string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) return [];
    const parts: { at: string; description: string | null | undefined }[] = [
      { at: type.name, description: type.description },
    ];
    const add = (
      at: string,
      { name, description }: { name: string; description?: string | null | undefined },
    ) => parts.push({ at: `${at}.${name}`, description });
    if (isEnumType(type)) for (const value of type.getValues()) add(type.name, value);
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) add(type.name, field);
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields())) {
        add(type.name, field);
        for (const argument of field.args) add(`${type.name}.${field.name}`, argument);
      }
    return parts.flatMap(({ at, description }) => (description?.trim() ? [] : [at]));
  });
