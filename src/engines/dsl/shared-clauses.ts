import { all, type Filter } from '../../sqon/filter.ts';
import { conjuncts, filterQuery } from './filter-query.ts';

/** What several filters all ask, and what each asks besides. */
export interface SharedClauses {
  readonly shared: Filter;
  readonly rest: readonly Filter[];
}

/** Splits filters into the clauses that stand in all of them and their remains, `all` where nothing remains. */
export const sharedClauses = (filters: readonly Filter[]): SharedClauses => {
  const clauses = filters.map(
    (filter) => new Map(conjuncts(filter).map((clause) => [textOf(clause), clause])),
  );
  const [first = new Map<string, Filter>(), ...others] = clauses;
  const shared = new Map([...first].filter(([text]) => others.every((other) => other.has(text))));
  return {
    shared: together([...shared.values()]),
    rest: clauses.map((held) =>
      together([...held].flatMap(([text, clause]) => (shared.has(text) ? [] : [clause]))),
    ),
  };
};

/** Facets of one request hold the same clauses, by identity mostly. */
const texts = new WeakMap<Filter, string>();

const textOf = (clause: Filter): string => {
  const text = texts.get(clause) ?? JSON.stringify(filterQuery(clause));
  texts.set(clause, text);
  return text;
};

const together = (clauses: readonly Filter[]): Filter => {
  if (clauses.length === 0) return all;
  return clauses.length === 1 ? clauses[0]! : { kind: 'and', of: clauses };
};
