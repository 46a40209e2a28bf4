import type { IntrospectionQuery, IntrospectionType } from 'graphql';
import { TributaryError } from '../../../errors/errors.ts';

/** Schemas with more types are not built: that would block the event loop for seconds. */
export const maxTypes = 10_000;

/** The input for building a schema, and whether it is complete. */
interface BoundedIntrospection {
  readonly data: IntrospectionQuery;
  /** How many types the node has, if only those of the catalogue were kept. */
  readonly cutFrom: number | null;
}

/**
 * The result of an introspection query unchanged, or, for a schema with very many types, only the types reachable from the
 * root field of a catalogue.
 * @param data still untrusted
 * @throws TributaryError NODE_BAD_RESPONSE for anything but an introspection result, or when even the root field alone
 *   leads to too many types
 */
export const boundedIntrospection = (data: unknown, documentType: string): BoundedIntrospection => {
  try {
    return bounded(data as IntrospectionQuery, documentType);
  } catch (error) {
    if (error instanceof TributaryError) throw error;
    throw new TributaryError('NODE_BAD_RESPONSE', 'its schema cannot be read', { cause: error });
  }
};

const bounded = (data: IntrospectionQuery, documentType: string): BoundedIntrospection => {
  const { __schema: schema } = data;
  const cutFrom = schema.types.length;
  if (cutFrom <= maxTypes) return { data, cutFrom: null };
  const byName = new Map(schema.types.map((type) => [type.name, type]));
  const query = byName.get(schema.queryType.name);
  if (query?.kind !== 'OBJECT') throw new TypeError('there is no query type');
  const root = { ...query, interfaces: [], fields: query.fields.filter(({ name }) => name === documentType) };
  const types = [...reachable(root, byName)];
  const cut = { ...schema, mutationType: null, subscriptionType: null, directives: [], types };
  return { data: { __schema: cut }, cutFrom };
};

/** The types reachable from a root type, itself first. */
const reachable = (
  root: IntrospectionType,
  byName: ReadonlyMap<string, IntrospectionType>,
): ReadonlySet<IntrospectionType> => {
  const kept = new Map([[root.name, root]]);
  for (const type of kept.values())
    for (const name of namesIn(type)) {
      const found = byName.get(name);
      if (found === undefined || kept.has(name)) continue;
      kept.set(name, found);
      if (kept.size > maxTypes) throw tooMany();
    }
  return new Set(kept.values());
};

const namesIn = (type: IntrospectionType): readonly string[] => {
  switch (type.kind) {
    case 'OBJECT':
    case 'INTERFACE':
      return [
        ...type.interfaces.map(({ name }) => name),
        ...type.fields.flatMap((field) => [named(field), ...field.args.map(named)]),
      ];
    case 'INPUT_OBJECT':
      return type.inputFields.map(named);
    case 'UNION':
      return type.possibleTypes.map(({ name }) => name);
    case 'SCALAR':
    case 'ENUM':
      return [];
  }
};

interface TypeRef {
  readonly name?: string;
  readonly ofType?: TypeRef;
}

/** The named type inside lists and non-null. */
const named = ({ type }: { readonly type: unknown }): string => {
  let ref = type as TypeRef;
  while (ref.ofType) ref = ref.ofType;
  return String(ref.name);
};

const tooMany = (): TributaryError =>
  new TributaryError(
    'NODE_BAD_RESPONSE',
    `its schema is too large: the catalogue alone has more than ${maxTypes} types`,
  );
