import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { buildClientSchema, validateSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql';

/**
 * A node's schema as it is kept from discovery on. Built, it takes some hundred kilobytes, and only the supergraph needs
 * it so: of a thousand nodes most are never queried individually.
 */
export interface HeldSchema {
  /** Equal for equal schemas. */
  readonly fingerprint: string;
  readonly isValid: boolean;
  /** Builds the schema again. */
  readonly read: () => GraphQLSchema;
}

/** @param introspection what `schema` was built from */
export const heldSchema = (schema: GraphQLSchema, introspection: IntrospectionQuery): HeldSchema => {
  const text = JSON.stringify(introspection);
  // a copy, as zlib gives a part of a buffer that is several times as large
  const packed = new Uint8Array(deflateRawSync(text, { level: 1 }));
  return {
    fingerprint: hash('sha256', text, 'base64url'),
    isValid: validateSchema(schema).length === 0,
    read: () => buildClientSchema(JSON.parse(inflateRawSync(packed).toString()) as IntrospectionQuery),
  };
};
