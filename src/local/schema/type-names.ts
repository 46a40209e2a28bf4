/** Gives out the names of a schema's types, each once. */
export interface TypeNames {
  /** The name wanted, with `_` behind it as often as it takes when it is taken already. */
  readonly claim: (wanted: string) => string;
}

/** Names for one schema; `taken` are never given. */
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

/** The type of a field: its parent's type and its own name, first letter upper case, the rest lower. */
export const childTypeName = (parent: string, name: string): string =>
  `${parent}${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`;
