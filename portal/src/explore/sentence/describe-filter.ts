import type { Catalogue } from '../../api/catalogue.ts';
import { isYear } from '../../api/fields.ts';
import { MISSING, OTHER } from '../../../../src/sqon/ast.ts';
import { isGroup, isSearch, type Condition, type Filter } from '../../api/filter.ts';
import type { Messages } from '../../i18n/en.ts';
import type { Formats } from '../../i18n/formats.ts';
import { valueText } from '../../look/value-text.ts';

/** A condition in three parts: about what, how, which. */
export interface Described {
  readonly subject: string;
  readonly verb: string;
  readonly object: string;
}

type Words = Formats & { readonly t: Messages };

/** A filter in the words of the visitor's language. */
export const describeFilter = (filter: Filter, catalogue: Catalogue, words: Words): Described => {
  const { t } = words;
  if (isSearch(filter)) return { subject: t.words, verb: '', object: `“${filter.content.value}”` };
  if (isGroup(filter)) {
    const parts = filter.content.map((part) => sentenceOf(part, catalogue, words));
    if (filter.op === 'not')
      return {
        subject: '',
        verb: t.not,
        object: parts.length > 1 ? `(${parts.join(` ${t.and} `)})` : (parts[0] ?? ''),
      };
    return { subject: '', verb: '', object: parts.join(` ${t[filter.op]} `) };
  }
  const subject = catalogue.fields.get(filter.content.fieldName)?.name ?? filter.content.fieldName;
  return { subject, ...describeCondition(filter, catalogue, words) };
};

const sentenceOf = (filter: Filter, catalogue: Catalogue, words: Words): string => {
  const { subject, verb, object } = describeFilter(filter, catalogue, words);
  const text = [subject, verb, object].filter((part) => part !== '').join(' ');
  return isGroup(filter) && filter.content.length > 1 ? `(${text})` : text;
};

const valuesShown = 4;

const describeCondition = (
  { op, content: { fieldName, value } }: Condition,
  catalogue: Catalogue,
  words: Words,
): Omit<Described, 'subject'> => {
  const { t, number, day } = words;
  const field = catalogue.fields.get(fieldName);
  const show = (each: string | number | boolean): string => {
    const key = String(each);
    if (field?.kind === 'dates' && key !== MISSING && key !== OTHER) return day(key);
    return typeof each === 'number' && field?.kind === 'numbers' && !isYear(fieldName)
      ? number(each)
      : valueText({ key }, field, t);
  };
  const all = [value].flat() as readonly (string | number | boolean)[];
  const shown = all.slice(0, valuesShown).map(show);
  const listed =
    all.length > valuesShown
      ? `${shown.join(', ')} +${number(all.length - valuesShown)}`
      : shown.join(` ${t.or} `);
  const one = shown[0] ?? '';
  switch (op) {
    case 'in':
    case 'is':
    case 'under':
      return { verb: '', object: listed };
    case 'not-in':
    case 'some-not-in':
      return { verb: t.isNot, object: listed };
    case 'all':
      return { verb: '', object: shown.join(` ${t.and} `) };
    case 'between':
      return { verb: '', object: t.between(one, shown[1] ?? '') };
    case 'gte':
      return { verb: '', object: t.orMore(one) };
    case 'lte':
      return { verb: '', object: t.orLess(one) };
    case 'gt':
      return { verb: '', object: t.moreThan(one) };
    case 'lt':
      return { verb: '', object: t.lessThan(one) };
    case 'starts-with':
      return { verb: '', object: t.startsWith(one) };
    case 'wildcard':
      return { verb: t.is, object: one };
  }
};
