import { parseDate } from '../../src/introspection/dates/dates.ts';
import type { Fields, IndexField } from '../../src/introspection/fields/field.ts';
import type { Filter, PatternPart } from '../../src/sqon/filter.ts';

/** A document or nested object, as a plain object; the document's key is under `_id`. */
export type Plain = Readonly<Record<string, unknown>>;

/** Whether an object satisfies a filter: the plainest reading of the algebra, over plain objects. */
export const satisfies = (filter: Filter, object: Plain, scope: string, fields: Fields): boolean => {
  const values = (field: IndexField): readonly unknown[] => valuesAt(object, relative(field.path, scope));
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return filter.of.every((part) => satisfies(part, object, scope, fields));
    case 'or':
      return filter.of.some((part) => satisfies(part, object, scope, fields));
    case 'not':
      return !satisfies(filter.of, object, scope, fields);
    case 'nested':
      return objectsAt(object, scope, filter.path).some((inner) =>
        satisfies(filter.of, inner, filter.path, fields),
      );
    case 'exists':
      return values(filter.field).length > 0;
    case 'terms':
      return values(filter.field).some((value) => filter.values.some((wanted) => `${value}` === `${wanted}`));
    case 'word':
      return values(filter.field).some((value) =>
        filter.isPrefix
          ? `${value}`.toLowerCase().startsWith(filter.word.toLowerCase())
          : `${value}`.toLowerCase() === filter.word.toLowerCase(),
      );
    case 'pattern': {
      const expression = patternExpression(filter.pattern, filter.caseInsensitive);
      return values(filter.field).some((value) => expression.test(`${value}`));
    }
    case 'range': {
      const isDate = filter.field.type === 'date';
      const read = (value: unknown): number =>
        isDate && typeof value === 'string' ? parseDate(value, undefined, 'down')! : Number(value);
      return values(filter.field).some((value) => {
        const number = read(value);
        return (
          (filter.gt === undefined || number > read(filter.gt)) &&
          (filter.gte === undefined || number >= read(filter.gte)) &&
          (filter.lt === undefined || number < read(filter.lt)) &&
          (filter.lte === undefined || number <= read(filter.lte))
        );
      });
    }
  }
};

/** The objects at a nested path below an object of a scope. */
export const objectsAt = (object: Plain, scope: string, path: string): readonly Plain[] =>
  valuesAt(object, relative(path, scope)).filter(
    (value): value is Plain => typeof value === 'object' && value !== null,
  );

/** All values at a relative path, lists flattened, null left out. */
export const valuesAt = (value: unknown, path: readonly string[]): readonly unknown[] => {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [segment, ...rest] = path;
  if (segment === undefined) return [value];
  return typeof value === 'object' ? valuesAt((value as Plain)[segment], rest) : [];
};

const relative = (path: string, scope: string): readonly string[] =>
  (scope === '' ? path : path.slice(scope.length + 1)).split('.');

const patternExpression = (pattern: readonly PatternPart[], caseInsensitive: boolean): RegExp => {
  const source = pattern.map((part) =>
    'literal' in part
      ? part.literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      : part.wildcard === 'any'
        ? '[^]*'
        : '[^]',
  );
  return new RegExp(`^${source.join('')}$`, caseInsensitive ? 'i' : '');
};
