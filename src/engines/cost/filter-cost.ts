import { kindOf } from '../../introspection/fields/field.ts';
import type { Filter } from '../../sqon/filter.ts';
import type { CostBreakdown } from '../allowance.ts';
import type { IndexEstimates } from './prices.ts';
import { prices } from './prices.ts';

type Leaf = Extract<Filter, { field: unknown }>;

/** Adds the cost of a filter. */
export type FilterCosts = (filter: Filter) => void;

/** For the filters of one search: repeated ones, such as in facets that leave out their own field, cost little. */
export const filterCosts = (figures: IndexEstimates, bill: CostBreakdown): FilterCosts => {
  const met = new Set<Filter>();
  const leaves = new Set<string>();
  const leaf = (filter: Leaf): void => {
    const key = keyOf(filter);
    const objects = figures.objects(filter.field.nestedIn.at(-1) ?? '');
    if (leaves.has(key)) bill.add('conditions', 0, objects * prices.repeatedObject);
    else leafCost(filter, figures, bill);
    leaves.add(key);
  };
  const add = (filter: Filter): void => {
    if (met.has(filter)) return;
    met.add(filter);
    switch (filter.kind) {
      case 'all':
      case 'none':
        return;
      case 'and':
      case 'or':
        filter.of.forEach(add);
        return;
      case 'not':
        return add(filter.of);
      case 'nested':
        bill.add('pivots', 1, figures.objects(filter.path) * prices.foldedObject);
        return add(filter.of);
      case 'terms':
      case 'range':
      case 'exists':
      case 'pattern':
      case 'word':
        return leaf(filter);
    }
  };
  return add;
};

const keyOf = ({ field, ...condition }: Leaf): string => `${field.path} ${JSON.stringify(condition)}`;

const leafCost = (leaf: Leaf, figures: IndexEstimates, bill: CostBreakdown): void => {
  const { field } = leaf;
  const kind = kindOf(field.type);
  const isNumeric = kind === 'number' || kind === 'date';
  const values = figures.values(field);
  const compared = values * prices.comparedValue;
  switch (leaf.kind) {
    case 'terms': {
      const each = leaf.values.length * prices.namedValue;
      const isLookedUp = isNumeric && leaf.values.length > 4;
      bill.add(
        'values in conditions',
        leaf.values.length,
        each + (isLookedUp ? values * prices.lookedUpValue : compared),
      );
      return;
    }
    case 'pattern': {
      const wildcards = leaf.pattern.filter((part) => 'wildcard' in part).length;
      const byte = wildcards > 2 ? prices.rematchedByte : prices.searchedByte;
      bill.add('wildcard conditions', 1, figures.stringBytes(field) * byte + compared);
      return;
    }
    case 'range':
      bill.add(
        'ranges in conditions',
        1,
        compared + (isNumeric ? 0 : figures.strings(field) * prices.comparedString),
      );
      return;
    case 'word':
      bill.add(
        'words in conditions',
        1,
        figures.stringBytes(field) * prices.searchedByte +
          figures.strings(field) * prices.foldedString +
          compared,
      );
      return;
    case 'exists':
      bill.add('conditions', 1, compared);
      return;
    default:
      leaf satisfies never;
  }
};
