import { isJsonObject } from '../json/json.ts';
import type { SqonScalar } from '../sqon/ast.ts';

/** The values of a claim, or null when they cannot be used. */
export type ValuesOf = (claim: string) => readonly SqonScalar[] | null;

/**
 * A filter with every `{"claim": "name"}` among its values replaced by the values of that claim.
 * @param template as an admin wrote it; malformed parts are kept, and refused by the filter parser
 * @returns null when some claim has no values: half a rule must not apply
 */
export const fillFilter = (template: unknown, valuesOf: ValuesOf): unknown => {
  if (!isJsonObject(template)) return template;
  const { content } = template;
  if (Array.isArray(content)) {
    const filled = content.map((node: unknown) => fillFilter(node, valuesOf));
    return filled.includes(null) ? null : { ...template, content: filled };
  }
  if (!isJsonObject(content) || !Object.hasOwn(content, 'value')) return template;
  const value = fillValue(content['value'], valuesOf);
  return value === null ? null : { ...template, content: { ...content, value } };
};

const fillValue = (value: unknown, valuesOf: ValuesOf): unknown => {
  if (isReference(value)) return valuesOf(value.claim);
  if (!Array.isArray(value)) return value;
  const filled: unknown[] = [];
  for (const item of value as unknown[]) {
    if (!isReference(item)) filled.push(item);
    else {
      const values = valuesOf(item.claim);
      if (values === null) return null;
      filled.push(...values);
    }
  }
  return filled;
};

const isReference = (value: unknown): value is { readonly claim: string } =>
  isJsonObject(value) && Object.keys(value).length === 1 && typeof value['claim'] === 'string';
