import type { Catalogue } from '../../api/catalogue.ts';
import { isYear, shownNumber } from '../../api/fields.ts';
import { MISSING, OTHER } from '../../../../src/sqon/ast.ts';
import { isGroup, isSearch, linkNested, type Condition, type Filter, type Group } from '../../api/filter.ts';
import { inText } from '../../i18n/plural.ts';
import { nameWithin, objectName } from '../../api/nouns.ts';
import type { Messages } from '../../i18n/en.ts';
import type { Formats } from '../../i18n/formats.ts';
import { valueText } from '../../look/value-text.ts';
import { rangeEnds } from '../../state/edit.ts';
import type { View } from '../../state/view.ts';

/** A condition in three parts: subject, verb, object. */
export interface Described {
  readonly subject: string;
  readonly verb: string;
  readonly object: string;
}

export type Words = Formats & {
  readonly t: Messages;
  /** A term of a field's hierarchy, once looked up. */
  readonly termOf?: (
    path: string,
    id: string,
  ) => { readonly label: string; readonly narrower: number } | undefined;
};

/**
 * A filter in the visitor's language.
 * @param within the name of the objects that the preceding words are about
 */
export const describeFilter = (
  filter: Filter,
  catalogue: Catalogue,
  words: Words,
  within: string | null = null,
): Described => {
  const { t } = words;
  if (isSearch(filter)) return { subject: t.words, verb: '', object: t.quoted(filter.content.value) };
  if (isGroup(filter)) return describeGroup(filter, catalogue, words, within);
  const field = catalogue.fields.get(filter.content.fieldName);
  const subject = field === undefined ? filter.content.fieldName : nameWithin(field, within);
  return {
    subject: within === null ? subject : inText(subject),
    ...describeCondition(filter, catalogue, words),
  };
};

/** The filter of a view, or of a cohort, as one sentence. @param records the noun for a number of records */
export const describeView = (
  view: Pick<View, 'filters' | 'join'>,
  catalogue: Catalogue,
  words: Words & { readonly records: (count: number) => string },
): string => {
  const { t, records } = words;
  const { filters, join = 'and' } = view;
  const linked = linkNested({ op: join, content: filters ?? [] }, catalogue.fields);
  const parts = isGroup(linked) ? linked.content : [linked];
  const texts = parts.map((filter) => sentenceOf(filter, catalogue, words, null));
  return texts.length === 0 ? t.allOf(records(2)) : `${t.withOf(records(2))} ${texts.join(` ${t[join]} `)}`;
};

const describeGroup = (
  group: Group,
  catalogue: Catalogue,
  words: Words,
  within: string | null,
): Described => {
  const { t } = words;
  const { pivot } = group;
  const object = pivot === undefined ? within : objectName(pivot, catalogue);
  const content = [linkNested(group, catalogue.fields)].flatMap((one) => (isGroup(one) ? one.content : one));
  const parts = content.map((part) => sentenceOf(part, catalogue, words, object));
  if (group.op === 'not')
    return {
      subject: '',
      verb: t.not,
      // none of them holds; for the objects of a list, none meets all
      object:
        parts.length > 1 ? `(${parts.join(` ${pivot === undefined ? t.or : t.and} `)})` : (parts[0] ?? ''),
    };
  const joined = parts.join(` ${t[group.op]} `);
  if (pivot === undefined) return { subject: '', verb: '', object: joined };
  return parts.length === 1
    ? { subject: '', verb: '', object: `${joined} (${t.onAny(object!)})` }
    : { subject: t.objectWith(object!), verb: '', object: joined };
};

/** A described part as one text. */
export const textOf = ({ subject, verb, object }: Described): string =>
  [subject, verb, object].filter((part) => part !== '').join(' ');

const sentenceOf = (filter: Filter, catalogue: Catalogue, words: Words, within: string | null): string => {
  const text = textOf(describeFilter(filter, catalogue, words, within));
  return isGroup(filter) && filter.content.length > 1 ? `(${text})` : text;
};

const valuesShown = 4;

const describeCondition = (
  { op, content: { fieldName, value, except = [] } }: Condition,
  catalogue: Catalogue,
  words: Words,
): Omit<Described, 'subject'> => {
  const { t, number, day, termOf } = words;
  const field = catalogue.fields.get(fieldName);
  const show = (one: string | number | boolean): string => {
    const each = shownNumber(one);
    const key = String(each);
    const label = termOf?.(fieldName, key)?.label;
    if (label !== undefined) return label;
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
  const said = field?.kind === 'dates' ? t.ofDates : t.ofNumbers;
  switch (op) {
    case 'under': {
      const terms = all.map((each) => termOf?.(fieldName, String(each)));
      const narrower = terms.reduce((sum, term) => sum + (term?.narrower ?? 0), 0);
      const below = terms.includes(undefined) ? t.andBelow : t.andNarrower(number(narrower), narrower);
      const isLeaf = narrower === 0 && !terms.includes(undefined);
      const left = except.length === 0 ? '' : `, ${t.exceptTerms(except.map(show).join(', '))}`;
      return { verb: '', object: `${listed}${isLeaf ? '' : ` ${below}`}${left}` };
    }
    case 'in':
    case 'is':
      return { verb: '', object: listed };
    case 'not-in':
    case 'some-not-in':
      return { verb: t.isNot, object: listed };
    case 'all':
      return { verb: '', object: shown.join(` ${t.and} `) };
    case 'between': {
      const [low = '', high = ''] = rangeEnds({ op, content: { fieldName, value } }).map((end) =>
        end === null ? '' : show(end),
      );
      return { verb: '', object: low === high ? low : said.between(low, high) };
    }
    case 'gte':
    case 'lte':
    case 'gt':
    case 'lt':
      return { verb: '', object: said[op](one) };
    case 'starts-with':
      return { verb: '', object: t.startsWith(one) };
    // an operator by an alias, or from a later version
    default:
      return { verb: op, object: listed };
  }
};
