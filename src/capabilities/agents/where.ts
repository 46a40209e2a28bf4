import { z } from 'zod';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { fieldNamed, hasOwnValues, type Fields } from '../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { MISSING } from '../../sqon/ast.ts';
import { escapedWildcard } from '../../sqon/filter.ts';
import { closest, objectOf } from '../../lib/text/unknown-keys.ts';

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean()]);

/** The operators that compare a field with values, in words that a model knows. */
const operators = [
  'is',
  'contains',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'missing',
  'under',
] as const;

const clause = objectOf({
  field: z.string().max(500),
  operator: z.enum(operators).default('is'),
  value: z.union([scalar, z.array(scalar).max(100)]).optional(),
  negate: z.boolean().optional(),
});

type Clause = z.output<typeof clause>;

const anyOf = objectOf({ any: z.array(clause).min(1).max(20) });

/** Why a condition is neither of the two, by the form that it resembles. */
const reasonOf = (issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined =>
  issue.errors[isJsonObject(issue.input) && 'any' in issue.input ? 1 : 0]
    ?.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '))
    .join('; ');

/** Conditions that all must match; of `any`, at least one. */
export const where = z
  .array(z.union([clause, anyOf], { error: reasonOf }))
  .max(20)
  .describe(
    'All must hold; {any: [...]} needs one. "is" takes one value or a list; "under" a term with all narrower ones.',
  );

/** The conditions as SQON; null: no restriction. @throws TributaryError BAD_USER_INPUT suggesting the nearest field */
export const sqonOf = (conditions: z.output<typeof where> | undefined, fields: Fields): JsonObject | null => {
  if (conditions === undefined || conditions.length === 0) return null;
  const content = conditions.map((one) =>
    'any' in one ? { op: 'or', content: one.any.map((each) => leafOf(each, fields)) } : leafOf(one, fields),
  );
  return { op: 'and', content };
};

const leafOf = (one: Clause, fields: Fields): JsonObject => {
  const condition = conditionOf(one, fieldOf(one.field, fields).path);
  return one.negate === true ? { op: 'not', content: [condition] } : condition;
};

/** A field by its path. @throws TributaryError BAD_USER_INPUT suggesting the nearest path */
export const fieldOf = (path: string, fields: Fields) => {
  const field = fieldNamed(fields, path);
  if (field !== undefined && hasOwnValues(field.kind)) return field;
  const paths = [...fields.values()].filter(({ kind }) => hasOwnValues(kind)).map((one) => one.path);
  const near = closest(path, paths);
  const hint = near === null ? '' : `; the closest is ${JSON.stringify(near.name)}`;
  throw badUserInput(`there is no field ${JSON.stringify(path.slice(0, 100))}${hint}`);
};

const conditionOf = ({ field, operator, value }: Clause, fieldName: string): JsonObject => {
  const leaf = (op: string, values: JsonValue): JsonObject => ({ op, content: { fieldName, value: values } });
  const list = value === undefined ? [] : [value].flat();
  if (operator === 'missing') return leaf('in', [MISSING]);
  const [first, second] = list;
  if (first === undefined) throw needs(field, operator, 'a value');
  switch (operator) {
    case 'is':
      return list.every((one) => typeof one === 'string') ? leaf('is', list) : leaf('in', list);
    case 'under':
      return leaf('under', list.map(String));
    case 'contains':
      return { op: 'or', content: list.map((one) => search(fieldName, `*${literal(one)}*`)) };
    case 'starts_with':
      return { op: 'or', content: list.map((one) => search(fieldName, `${literal(one)}*`)) };
    case 'between':
      if (second === undefined) throw needs(field, operator, 'two values');
      return leaf('between', [first, second]);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return leaf(operator, first);
  }
};

const search = (fieldName: string, value: string): JsonObject => ({
  op: 'wildcard',
  content: { fieldNames: [fieldName], value },
});

const literal = (value: string | number | boolean): string => escapedWildcard(String(value));

const needs = (field: string, operator: string, what: string): TributaryError =>
  badUserInput(`the condition ${operator} on ${JSON.stringify(field.slice(0, 100))} needs ${what}`);
