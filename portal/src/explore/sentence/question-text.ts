import type { Catalogue } from '../../api/catalogue.ts';
import { nameOf } from '../../look/node-colours.ts';
import type { View } from '../../state/view.ts';
import { describeFilter, textOf, type Words } from './describe-filter.ts';

/** A short text for a view's query: its conditions and institutions; '' for everything. */
export const questionText = (
  { filters = [], join = 'and', nodes }: View,
  catalogue: Catalogue,
  words: Words,
): string => {
  const { t, list } = words;
  const parts = filters.map((filter) => textOf(describeFilter(filter, catalogue, words)));
  const institutions = nodes === undefined ? [] : [list(nodes.map((nodeId) => nameOf(catalogue, nodeId)))];
  return [parts.join(` ${t[join]} `), ...institutions].filter((part) => part !== '').join(' · ');
};
