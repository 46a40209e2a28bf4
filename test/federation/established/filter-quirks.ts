import { isoDate, parseDate } from '../../../src/introspection/dates/dates.ts';
import { isJsonObject } from '../../../src/lib/json/json.ts';

/** An error of the established server: whatever went wrong is an internal one. */
export const itsError = (message: string): Error =>
  Object.assign(new Error(message), { extensions: { code: 'INTERNAL_SERVER_ERROR' } });

/** What it says when its engine refuses. */
export const engineError = (kind: string, reason: string): Error =>
  itsError(`search_phase_execution_exception: [${kind}] Reason: ${reason}`);

const rangeOps = new Set(['gt', '>', 'gte', '>=', 'lt', '<', 'lte', '<=']);
const termOps = new Set(['in', 'not-in', 'some-not-in', 'all', '=', '==', '===', '!=', '!==']);
const negatives = new Set(['not-in', 'some-not-in', '!=', '!==']);
const matchesAll = { op: 'and', content: [] };

/**
 * A filter as the established server sends it on: 0 and false became the empty text, a date without a time in a range a
 * format that no default mapping has, a lone value of between nothing.
 * @throws what its engine answers to that
 */
export const asItSends = (
  filter: unknown,
  types: ReadonlyMap<string, string>,
  formats: ReadonlyMap<string, string> = new Map(),
): unknown => {
  if (!isJsonObject(filter)) return filter;
  const { op, content } = filter as { op?: unknown; content?: unknown };
  if (Array.isArray(content))
    return { ...filter, content: content.map((one) => asItSends(one, types, formats)) };
  if (!isJsonObject(content)) return filter;
  const { fieldName, value } = content as { fieldName?: string; value?: unknown };
  const type = types.get(fieldName ?? '') ?? 'keyword';
  const format = formats.get(fieldName ?? '');
  if (format !== undefined) return { ...filter, content: { ...content, value: readByEngine(value, format) } };
  if (rangeOps.has(String(op))) assertRange(value, type);
  if (op === 'between' && (!Array.isArray(value) || value.length < 2)) return matchesAll;
  if (!termOps.has(String(op))) return filter;
  if (type === 'nested' && [value].flat().includes('__missing__')) return matchesAll;
  const values = [value].flat().map((one: unknown) => (one === 0 || one === false ? '' : one));
  if (values.includes('')) assertEmptyText(type);
  const lists = negatives.has(String(op)) ? split(values) : [values];
  const leafOf = (list: readonly unknown[]) => ({ ...filter, content: { ...content, value: list } });
  return lists.length === 1 ? leafOf(lists[0]!) : { op: 'or', content: lists.map(leafOf) };
};

/** Dates in the only format that its engine reads, as the catalogue behind it takes them. */
const readByEngine = (value: unknown, format: string): readonly unknown[] =>
  [value].flat().map((one: unknown) => {
    if (one === '__missing__') return one;
    const iso = isoDate(String(one), format);
    if (iso !== null && parseDate(String(one), format, 'down') !== null) return iso;
    throw engineError(
      'parse_exception',
      `failed to parse date field [${String(one)}] with format [${format}]`,
    );
  });

/** Special values beside others stand alone, and all are alternatives, of a negation too. */
const split = (values: readonly unknown[]): readonly (readonly unknown[])[] => {
  const isSpecial = (value: unknown): boolean => /\*|__missing__|set_id:/.test(String(value));
  const [special, rest] = [values.filter(isSpecial), values.filter((value) => !isSpecial(value))];
  if (special.length === 0) return [values];
  return [...special.map((one) => [one]), ...(rest.length > 0 ? [rest] : [])];
};

const assertRange = (value: unknown, type: string): void => {
  for (const one of [value].flat())
    if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(String(one)))
      throw engineError(
        'parse_exception',
        `failed to parse date field [${String(one)} 00:00:00.000000] with format [strict_date_optional_time||epoch_millis]`,
      );
};

const assertEmptyText = (type: string): void => {
  const refusals: Readonly<Record<string, string>> = {
    boolean: "Can't parse boolean value [], expected [true] or [false]",
    date: 'cannot parse empty date',
    text: '',
    keyword: '',
  };
  const refusal = refusals[type] ?? 'empty String';
  if (refusal !== '') throw engineError('query_shard_exception', `failed to create query: ${refusal}`);
};
