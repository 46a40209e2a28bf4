/** Assigns the type names of a schema, each only once. */
export interface TypeNames {
  /** The requested name, with as many trailing `_` as needed when it is taken. */
  readonly claim: (wanted: string) => string;
}

/** Names for one schema; `taken` ones are never assigned. */
export const newTypeNames = (taken: Iterable<string>): TypeNames => {
  const given = new Set(taken);
  return {
    claim: (wanted) => {
      let name = wanted;
      while (given.has(name)) name += '_';
      given.add(name);
      return name;
    },
  };
};

/** The type name of a field: its parent's type and its own name, first letter upper case, the rest lower. */
export const childTypeName = (parent: string, name: string): string =>
  `${parent}${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`;

/** Root fields of every schema: no document type can have one of these names. */
export const fixedRootFields: ReadonlySet<string> = new Set([
  'network',
  'sets',
  'node',
  'viewer',
  'query',
  'hasValidConfig',
]);
