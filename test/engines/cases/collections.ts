import type { Collection } from './case.ts';
import { booleanValues } from './boolean-values.ts';
import { calendar } from './calendar.ts';
import { dateValues } from './date-values.ts';
import { documented } from './documented.ts';
import { dottedKeys } from './dotted-keys.ts';
import { facets } from './facets.ts';
import { flatMeasures } from './flat-measures.ts';
import { flat } from './flat.ts';
import { flatFacets } from './flat-facets.ts';
import { groups } from './groups.ts';
import { keywordValues } from './keyword-values.ts';
import { eventTables } from './event-tables.ts';
import { logCounts } from './log-counts.ts';
import { longValues } from './long-values.ts';
import { matching } from './matching.ts';
import { nestedObjects } from './nested.ts';
import { inheritedNames, nestedFacets } from './nested-facets.ts';
import { numberValues } from './number-values.ts';
import { pages, pagesOfRareNumbers } from './pages.ts';
import { patterns } from './patterns.ts';
import { rewriting } from './rewriting.ts';
import { searches } from './searches.ts';
import { sortModes } from './sort-modes.ts';
import { sorting } from './sorting.ts';
import { sources } from './sources.ts';
import { textValues } from './text-values.ts';
import { threeLevels } from './three-levels.ts';
import { typedValues } from './typed-values.ts';
import { nestedValueSets, valueSets } from './value-sets.ts';
import { wordSearches } from './word-searches.ts';
import { writing } from './writing.ts';
import { writtenValues } from './written-values.ts';

/** All that every engine must answer alike. */
export const collections: readonly Collection[] = [
  flat,
  keywordValues,
  textValues,
  longValues,
  numberValues,
  dateValues,
  booleanValues,
  patterns,
  searches,
  wordSearches,
  groups,
  nestedObjects,
  threeLevels,
  facets,
  flatFacets,
  flatMeasures,
  calendar,
  logCounts,
  eventTables,
  valueSets,
  nestedValueSets,
  matching,
  nestedFacets,
  inheritedNames,
  sorting,
  sortModes,
  pages,
  pagesOfRareNumbers,
  sources,
  writing,
  writtenValues,
  dottedKeys,
  rewriting,
  documented,
  ...typedValues,
];
