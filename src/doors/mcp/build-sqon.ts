import { z } from 'zod';
import type { Fields } from '../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.ts';
import { parseSqon, printSqon } from '../../sqon/parse.ts';
import { shown } from './sentences.ts';
import { fieldCalled } from './where.ts';

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean()]);

const clause = z.object({
  fieldName: z.string().max(500),
  operator: z.string().max(50).describe('The name of an operator of the field: "gte", never ">=".'),
  value: z.union([scalar, z.array(scalar).max(1_000)]),
  negate: z.boolean().optional(),
});

export const builtInput = z.object({
  catalogueId: z.string().max(200),
  combination: z.enum(['and', 'or']).default('and'),
  clauses: z.array(clause).min(1).max(100),
  existingSqon: z
    .unknown()
    .optional()
    .describe('The sqon of an earlier answer, to which the conditions are added.'),
});

export const builtOutput = z.object({
  sqon: z.record(z.string(), z.unknown()),
  summary: z.string(),
  clauseCount: z.number(),
  filterCount: z.number(),
  notes: z.array(z.string()).optional(),
});

/** Builds a filter from conditions. @throws TributaryError BAD_USER_INPUT suggesting the nearest field or operator */
export const buildSqon = (
  { combination, clauses, existingSqon }: z.output<typeof builtInput>,
  fields: Fields,
): z.output<typeof builtOutput> => {
  const existing = parseSqon(existingSqon) === null ? null : (existingSqon as JsonObject);
  // conditions on one nested object stay together
  const isJoined = existing?.['op'] === combination && (existing['pivot'] ?? null) === null;
  const known = existing === null ? [] : isJoined ? contentOf(existing) : [existing];
  const leaves = clauses.map((one) => leafOf(one, fields));
  const all = [...known, ...leaves];
  // of bounded size after this
  parseSqon({ op: combination, content: all });
  const content = [...Map.groupBy(all, canonical).values()].map(([first]) => first!);
  const sqon = { op: combination, content };
  const clauseCount = leaves.length + known.flatMap(leavesIn).length;
  const filterCount = content.flatMap(leavesIn).length;
  const merged = clauseCount - filterCount;
  return {
    ...{ sqon, summary: summaryOf(sqon), clauseCount, filterCount },
    ...(merged > 0 && {
      notes: [`${merged} of the conditions ${merged === 1 ? 'is' : 'are'} there already`],
    }),
  };
};

const leafOf = (
  { fieldName, operator, value, negate }: z.output<typeof clause>,
  fields: Fields,
): JsonObject => {
  const { path } = fieldCalled(fieldName, fields);
  const leaf = { op: operator, content: { fieldName: path, value } };
  return negate === true ? { op: 'not', content: [leaf] } : leaf;
};

/** Equal for equivalent conditions. */
const canonical = (node: JsonObject): string => JSON.stringify(printSqon(parseSqon(node)));

const contentOf = ({ content }: JsonObject): readonly JsonObject[] =>
  Array.isArray(content) ? (content as readonly JsonValue[]).filter(isJsonObject) : [];

const leavesIn = (node: JsonObject): readonly JsonObject[] => {
  const content = contentOf(node);
  return content.length === 0 ? [node] : content.flatMap(leavesIn);
};

/** The filter in words. */
const summaryOf = (node: JsonObject): string => {
  const { op, content } = node;
  const parts = contentOf(node).map((one) =>
    contentOf(one).length > 1 ? `(${summaryOf(one)})` : summaryOf(one),
  );
  if (parts.length > 0) return op === 'not' ? `not ${parts.join(' or ')}` : parts.join(` ${String(op)} `);
  const { fieldName, fieldNames, value } = isJsonObject(content) ? content : {};
  const values = [value].flat().map((one) => shown(String(one)));
  return `${shown([fieldName ?? fieldNames].flat().join(', '))} ${String(op)} ${values.join(', ')}`;
};
