import { MISSING } from '../../../src/sqon/ast.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Question } from '../api/questions.ts';
import { choiceOf, withMissing } from '../state/edit.ts';
import type { View } from '../state/view.ts';
import { questionOf } from './view-question.ts';

/** The records of a view without a value of a field; the view's conditions on the field itself are left out, as in facets. */
export const missingIn = (view: View, path: string, catalogue: Catalogue): Question => {
  if (view.join !== 'or') return questionOf(withMissing(view, path, true), catalogue);
  const without = choiceOf(path, [MISSING]);
  const { filter, nodes } = questionOf(view, catalogue);
  return { filter: filter === null ? without : { op: 'and', content: [filter, without] }, nodes };
};
