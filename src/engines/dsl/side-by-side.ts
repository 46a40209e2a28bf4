import { kindOf } from '../../introspection/field.ts';
import type { JsonObject } from '../../json.ts';
import type { HitsQuery } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import { hitsBody } from './hits-body.ts';
import { facetsLine, type FacetsLine, type HitsLine, type SearchLine } from './search-lines.ts';

/** How many documents there are, whose page is in the line before. */
export interface TotalLine {
  readonly kind: 'total';
  readonly body: JsonObject;
}

/** Two facets for each half: below that, looking at the documents twice costs what it gains. */
const fewestFacets = 4;

/**
 * The same answers by two searches where one was meant, which the server runs side by side: sooner, for more of its
 * work in all (bench/engines). Facets are dealt out in turns. A page goes without its total where the server then
 * needs to look at few documents, and the total, which it can answer from its request cache, by itself.
 */
export const sideBySide = (
  lines: readonly SearchLine[],
  dialect: Dialect,
): readonly (SearchLine | TotalLine)[] => {
  const [line] = lines;
  if (line === undefined || lines.length > 1) return lines;
  switch (line.kind) {
    case 'facets':
      return line.facets.length < fewestFacets ? lines : halves(line);
    case 'hits':
      return isQuickUncounted(line.query) ? pageAndTotal(line, dialect) : lines;
  }
};

const halves = ({ facets }: FacetsLine): readonly SearchLine[] =>
  [0, 1].map((half) => facetsLine(facets.filter((_, at) => at % 2 === half)));

/** In an order of numbers servers skip what cannot be on the page; what all or one term find they need not count. */
const isQuickUncounted = ({ filter, size, sort: [first], trackTotal }: HitsQuery): boolean =>
  trackTotal &&
  size > 0 &&
  !['all', 'none', 'terms'].includes(filter.kind) &&
  first !== undefined &&
  ['number', 'date'].includes(kindOf(first.field.type)) &&
  first.field.nestedIn.length === 0 &&
  (first.mode === 'min' || first.mode === 'max');

const pageAndTotal = ({ query }: HitsLine, dialect: Dialect): readonly (SearchLine | TotalLine)[] => {
  const uncounted = { ...query, trackTotal: false };
  return [
    { kind: 'hits', query: uncounted, body: hitsBody(uncounted, dialect) },
    { kind: 'total', body: hitsBody({ ...query, size: 0 }, dialect) },
  ];
};
