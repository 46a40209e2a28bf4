import { TributaryError } from '../errors.ts';
import { fieldNamed } from '../introspection/document-key.ts';
import type { Fields } from '../introspection/field.ts';
import type { Sqon, SqonLeaf } from './ast.ts';
import { compileSqon } from './compile.ts';
import { asksWhetherThere, constantLeaf } from './compile-leaf.ts';
import { matchesText } from './leaf-filter.ts';

/**
 * Checks a filter against a catalogue's fields.
 * @param options.strict unknown fields are errors, not warnings
 * @returns what the caller should know, each with its JSON path: unknown fields, conditions that are constant
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue: a pivot that is no nested path, a
 *   value of the wrong type, a range on a field without order
 */
export const validateSqon = (
  sqon: Sqon | null,
  fields: Fields,
  options: { strict?: boolean } = {},
): string[] => {
  compileSqon(sqon, fields);
  const warnings: string[] = [];
  const waiting: Sqon[] = sqon === null ? [] : [sqon];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'group') waiting.push(...node.content.toReversed());
    else if (node.kind === 'leaf') checkLeaf(node, fields, options.strict === true, warnings);
    else checkNames(node.fieldNames, node.at, fields, options.strict === true, warnings);
  }
  return warnings;
};

const checkLeaf = (leaf: SqonLeaf, fields: Fields, strict: boolean, warnings: string[]): void => {
  const { fieldName, at } = leaf;
  const field = fieldNamed(fields, fieldName);
  if (field === undefined) {
    if (strict) throw unknownField(fieldName, `${at}.content.fieldName`);
    warnings.push(`filter at ${at}: unknown field "${fieldName}", the condition matches ${extent(leaf)}`);
  } else if (field.kind === 'json' && !asksWhetherThere(leaf, field))
    warnings.push(
      `filter at ${at}: field "${fieldName}" of type ${field.type} is not searchable, the condition matches ${extent(leaf)}`,
    );
  else if (leaf.values.length === 0 && leaf.exactFrom === undefined)
    warnings.push(`filter at ${at}: no values for "${fieldName}", the condition matches ${extent(leaf)}`);
};

const extent = (leaf: SqonLeaf): string => (constantLeaf(leaf).kind === 'all' ? 'everything' : 'nothing');

const checkNames = (
  names: readonly string[],
  at: string,
  fields: Fields,
  strict: boolean,
  warnings: string[],
): void => {
  if (names.length === 0)
    warnings.push(`filter at ${at}: no fields to search, the condition matches nothing`);
  for (const [position, name] of names.entries()) {
    const field = fieldNamed(fields, name);
    if (field !== undefined) {
      if (!matchesText(field))
        warnings.push(
          `filter at ${at}: field "${name}" of type ${field.type} has no text, nothing is found in it`,
        );
      continue;
    }
    if (strict) throw unknownField(name, `${at}.content.fieldNames[${position}]`);
    warnings.push(`filter at ${at}: unknown field "${name}", nothing is found in it`);
  }
};

const unknownField = (name: string, at: string): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `filter at ${at}: expected a field of this catalogue, found "${name}"`,
    {
      details: { path: at, found: name, accepted: 'a field listed by the introspection endpoint' },
    },
  );
