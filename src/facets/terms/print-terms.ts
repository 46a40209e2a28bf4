import type { FacetMeasure } from '../../search/query.ts';
import { printSqon } from '../../sqon/print.ts';

/** The alias of a filter's count in a printed query: the first has none, as nodes accept only so many. */
export const filteredAs = (position: number): string =>
  position === 0 ? 'filter_by_term' : `filter_by_term_${position}`;

/** A list of values as GraphQL, for a remote node. @param fields what is asked of each besides its key */
export const printTerms = (
  { max, matching, topHits, filters = [] }: FacetMeasure<'terms'>,
  fields: string,
): string => {
  const selected = [
    `key ${fields}`,
    ...(topHits === undefined ? [] : [printTopHits(topHits.source)]),
    ...filters.map((filter, position) => {
      const alias = position === 0 ? '' : `${filteredAs(position)}: `;
      return `${alias}filter_by_term(filter: ${literal(printSqon(filter))})`;
    }),
  ];
  const args = [
    ...(max === null ? [] : [`max: ${max}`]),
    ...(matching === undefined ? [] : [`matching: ${JSON.stringify(matching)}`]),
  ];
  return `buckets${parenthesised(args)} { ${selected.join(' ')} }`;
};

const printTopHits = (source: readonly string[] | null): string =>
  `top_hits${parenthesised([...(source === null ? [] : [`_source: ${JSON.stringify(source)}`]), 'size: 1'])}`;

const parenthesised = (args: readonly string[]): string => (args.length === 0 ? '' : `(${args.join(', ')})`);

/** JSON as a GraphQL literal: the keys of filters are names. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${entries.map(([key, one]) => `${key}: ${literal(one)}`).join(', ')} }`;
};
