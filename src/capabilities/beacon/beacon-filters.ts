import { yieldToEventLoop } from '../../lib/concurrency/yield-to-event-loop.ts';
import { badUserInput } from '../../lib/errors/errors.ts';
import type { BeaconConfig, BeaconTerm } from '../../introspection/fields/about.ts';
import { hasOwnValues, type Field, type Fields } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { escapedWildcard } from '../../sqon/filter.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import type { BeaconFilter, BeaconRequest } from './beacon-request.ts';

/** The context in which filters are read. */
export interface FilterTerms {
  readonly fields: Fields;
  /** The units of numeric fields, by path. */
  readonly unitOf: (path: string) => string | undefined;
  readonly config: BeaconConfig;
  /** The entities that documents represent, as clients write them in `scope`. */
  readonly scopes: readonly string[];
  /** The fields with values that begin with this prefix and a colon. */
  readonly fieldsWith: (prefix: string) => Promise<readonly string[]>;
}

/** A filter that this beacon cannot apply, with the reason. */
class Unsupported extends Error {}

/**
 * Reads the filters of a beacon's request, joined by AND as the standard requires.
 * @returns a SQON as JSON; null: no restriction
 * @throws TributaryError BAD_USER_INPUT with the reason for each filter that this beacon cannot apply
 */
export const readFilters = async (
  { filters, parameters }: Pick<BeaconRequest, 'filters' | 'parameters'>,
  terms: FilterTerms,
): Promise<JsonObject | null> => {
  const conditions: JsonObject[] = [];
  const reasons: string[] = [];
  for (const filter of filters) {
    await yieldToEventLoop();
    try {
      conditions.push(await conditionOf(filter, terms));
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      reasons.push(error.message);
    }
  }
  reasons.push(...parameters.map((name) => `${name} is not a parameter of this beacon`));
  if (reasons.length > 0) throw badUserInput(reasons.join('; '));
  return conditions.length === 0 ? null : { op: 'and', content: conditions };
};

/** A filter as text, for the summary of a request and for messages. */
export const filterText = ({ id, operator, value }: BeaconFilter): string =>
  value === undefined ? id : `${id}${operator ?? '='}${value}`;

const conditionOf = async (filter: BeaconFilter, terms: FilterTerms): Promise<JsonObject> => {
  const { scope, similarity = 'exact' } = filter;
  if (scope !== undefined && !terms.scopes.includes(scope.toLowerCase()))
    throw new Unsupported(`the scope ${scope} is not one of this beacon: ${terms.scopes[0]} expected`);
  if (similarity !== 'exact') throw new Unsupported('only exact matches are known, and no similarity');
  if (filter.operator !== undefined || filter.value !== undefined) return comparison(filter, terms);
  return termCondition(filter, terms);
};

/** A field compared with a value. */
const comparison = ({ id, operator = '=', value }: BeaconFilter, terms: FilterTerms): JsonObject => {
  const field = comparedField(id, terms);
  if (field === undefined || !hasOwnValues(field.kind)) throw unknownField(id, terms.fields);
  if (value === undefined) throw new Unsupported(`${id} needs a value`);
  switch (operator) {
    case '=':
      return equal(field, value, terms);
    case '!':
      return { op: 'not', content: [equal(field, value, terms)] };
    case '>':
    case '>=':
    case '<':
    case '<=':
      if (field.kind !== 'number' && field.kind !== 'date')
        throw new Unsupported(`${field.path} has no order: = or ! expected`);
      return leaf(operator, field.path, valueOf(field, value, terms));
    default:
      throw new Unsupported(`the operator ${operator} is not known: =, !, <, <=, > or >= expected`);
  }
};

/** The field of a path, or of a term that stands for a field, such as a LOINC code of a measurement. */
const comparedField = (id: string, { fields, config }: FilterTerms): Field | undefined => {
  const term = config.terms?.find((one) => one.id === id && one.value === undefined);
  const path = term?.fieldName ?? id;
  return fields.get(path) ?? fields.get(path.replaceAll('__', '.'));
};

const leaf = (op: string, fieldName: string, value: JsonObject[string]): JsonObject => ({
  op,
  content: { fieldName, value },
});

/** Equal to a value, or matching a pattern with `%` for any characters. */
const equal = (field: Field, value: string | number | boolean, terms: FilterTerms): JsonObject => {
  const { path, kind } = field;
  if (typeof value !== 'string' || !value.includes('%') || (kind !== 'keyword' && kind !== 'text')) {
    const wanted = valueOf(field, value, terms);
    return leaf(typeof wanted === 'string' ? 'is' : 'in', path, [wanted]);
  }
  const pattern = escapedWildcard(value).replaceAll('%', '*');
  return { op: 'wildcard', content: { fieldNames: [path], value: pattern } };
};

/**
 * A value in the type of its field.
 * @throws TributaryError BAD_USER_INPUT for another value: left out, the filter would find more than was asked for
 */
const valueOf = (
  { path, kind }: Field,
  value: string | number | boolean,
  terms: FilterTerms,
): string | number | boolean => {
  if (kind === 'number') {
    const number = typeof value === 'string' ? numberIn(value, terms.unitOf(path)) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw badUserInput(`${path} is a number: ${value} is none`);
  }
  if (kind === 'boolean') {
    if (['true', 'false'].includes(String(value))) return String(value) === 'true';
    throw badUserInput(`${path} is true or false: ${value} is neither`);
  }
  return kind === 'date' && typeof value === 'number' ? value : String(value);
};

/** Lengths in 4 800ths of a day: in this unit a month, the mean of the Gregorian calendar (146 097 days in 400 years), is whole. */
const lengthOf = { Y: 12 * 146_097, M: 146_097, W: 7 * 4_800, D: 4_800 } as const;

const lengthOfUnit: Readonly<Record<string, number>> = {
  ...{ year: lengthOf.Y, years: lengthOf.Y, a: lengthOf.Y },
  ...{ month: lengthOf.M, months: lengthOf.M, mo: lengthOf.M },
  ...{
    week: lengthOf.W,
    weeks: lengthOf.W,
    wk: lengthOf.W,
    day: lengthOf.D,
    days: lengthOf.D,
    d: lengthOf.D,
  },
};

/** A number, or an ISO 8601 duration such as `P70Y` in the unit of the field; NaN for other text. */
const numberIn = (text: string, unit: string | undefined): number => {
  const [, count, letter] = /^P(\d+(?:\.\d+)?)([YMWD])$/.exec(text.trim()) ?? [];
  if (count === undefined) return text.trim() === '' ? NaN : Number(text);
  const length = lengthOfUnit[(unit ?? '').trim().toLowerCase()];
  if (length === undefined)
    throw new Unsupported(
      `${text} is a duration, and the field has ${unit === undefined ? 'no unit' : `the unit ${unit}`}: a number expected`,
    );
  return (Number(count) * lengthOf[letter as keyof typeof lengthOf]) / length;
};

/** A term: either of an ontology, or a field and its value in one text. */
const termCondition = async (filter: BeaconFilter, terms: FilterTerms): Promise<JsonObject> => {
  const { id } = filter;
  const configured = configuredTerm(id, terms.config.terms ?? []);
  if (configured !== null) {
    const field = terms.fields.get(configured.fieldName);
    if (field === undefined) throw unknownField(configured.fieldName, terms.fields);
    return configured.value === undefined
      ? valuesOf(filter, field)
      : leaf('in', field.path, [configured.value]);
  }
  const known = [...terms.fields.values()].filter(({ hierarchy }) => hierarchy?.indexOf(id) !== undefined);
  if (known.length > 0) return anyOf(known.map((field) => valuesOf(filter, field)));
  const field = fieldBefore(id, terms.fields);
  if (field !== undefined) return equal(field, id.slice(field.path.length + 1), terms);
  const colon = id.indexOf(':');
  const paths = colon > 0 ? await terms.fieldsWith(id.slice(0, colon)) : [];
  if (paths.length === 0) throw unknownField(id, terms.fields);
  return anyOf(paths.map((path) => leaf('is', path, [id])));
};

/** A term of a field's hierarchy with its descendants, unless the filter excludes them. */
const valuesOf = (
  { id, includeDescendantTerms = true }: BeaconFilter,
  { path, hierarchy }: Field,
): JsonObject =>
  includeDescendantTerms && hierarchy?.indexOf(id) !== undefined
    ? leaf('under', path, [id])
    : leaf('is', path, [id]);

const anyOf = (conditions: readonly JsonObject[]): JsonObject =>
  conditions.length === 1 ? conditions[0]! : { op: 'or', content: conditions };

const configuredTerm = (id: string, terms: readonly BeaconTerm[]): BeaconTerm | null =>
  terms.find((term) => term.id === id) ??
  terms.find(({ prefix }) => prefix !== undefined && id.startsWith(`${prefix}:`)) ??
  null;

/** The field of `demographic.ethnicity:asian`, whose own name may have colons. */
const fieldBefore = (id: string, fields: Fields): Field | undefined => {
  for (let at = id.lastIndexOf(':'); at > 0; at = id.lastIndexOf(':', at - 1)) {
    const field = fields.get(id.slice(0, at));
    if (field !== undefined && hasOwnValues(field.kind)) return field;
  }
  return undefined;
};

const unknownField = (id: string, fields: Fields): Unsupported => {
  const paths = [...fields.values()].filter(({ kind }) => hasOwnValues(kind)).map(({ path }) => path);
  const near = closest(id.split(':')[0]!.slice(0, 100), paths);
  return new Unsupported(
    `${id} is not a term or field of this beacon${near?.isSlip ? `: did you mean ${near.name}?` : '; filtering_terms lists them'}`,
  );
};
