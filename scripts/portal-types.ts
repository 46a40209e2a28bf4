import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GraphQLField, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import { getNamedType, isListType, isNonNullType, isObjectType } from 'graphql';
import { aggregationsType, numericAggregationsType } from '../src/facets/measures.ts';
import { networkField } from '../src/federation/schema/schema.ts';
import { configsWithState } from '../src/local/schema/configs-types.ts';

const target = fileURLToPath(new URL('../portal/src/api/schema.ts', import.meta.url));

/** Where the portal's questions begin; what lies below them comes along. */
const roots = [
  // without fields: a network's own are different in each
  networkField(new Map(), () => null).type as GraphQLObjectType,
  aggregationsType,
  numericAggregationsType,
  configsWithState,
];

/** Documents have different fields in each network. */
const documents = /^(NetworkHit)$/;

const scalars: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Float: 'number',
  ID: 'string',
  Int: 'number',
  JSON: 'unknown',
  Number: 'number | string',
  String: 'string',
};

const intro = `/**
 * The part of the GraphQL schema that is the same everywhere, field by field. Everything may be null, as the contract
 * says; who reads it knows what is not.
 *
 * Written by scripts/portal-types.ts from the schema. Change that, and run \`npm run portal:types\`.
 */
`;

/** The content of portal/src/api/schema.ts. */
export const portalTypes = (): string => {
  const types = new Map<string, GraphQLObjectType>();
  const add = (type: GraphQLObjectType): void => {
    if (types.has(type.name) || documents.test(type.name)) return;
    types.set(type.name, type);
    for (const field of Object.values(type.getFields())) {
      const below = getNamedType(field.type);
      if (isObjectType(below)) add(below);
    }
  };
  roots.forEach(add);
  return `${intro}\n${[...types.values()].map(written).join('\n')}`;
};

const written = (type: GraphQLObjectType): string =>
  [
    ...comment(type.description, ''),
    `export interface ${type.name} {`,
    ...Object.values(type.getFields()).flatMap(writtenField),
    '}',
    '',
  ].join('\n');

const writtenField = ({ name, type, description }: GraphQLField<unknown, unknown>): readonly string[] => [
  ...comment(description, '  '),
  `  readonly ${name}: ${typeText(type)};`,
];

const comment = (text: string | null | undefined, indent: string): readonly string[] =>
  text == null ? [] : [`${indent}/** ${text.replace(/\s+/g, ' ')} */`];

const typeText = (type: GraphQLOutputType): string => {
  if (isNonNullType(type)) return bareText(type.ofType);
  const bare = bareText(type);
  return bare === 'unknown' ? bare : `${bare} | null`;
};

const bareText = (type: GraphQLOutputType): string => {
  if (isListType(type)) {
    const item = typeText(type.ofType);
    return item.includes('|') ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  const { name } = getNamedType(type);
  return documents.test(name) ? 'unknown' : (scalars[name] ?? name);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, portalTypes());
