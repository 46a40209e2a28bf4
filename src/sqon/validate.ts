import { badUserInput } from '../errors/errors.ts';
import { fieldNamed, type Fields } from '../introspection/fields/field.ts';
import { likelyField } from '../introspection/fields/unknown-fields.ts';
import type { Sqon, SqonLeaf, SqonMulti } from './ast.ts';
import { compileSqon, testsExistence, constantLeaf } from './compile.ts';
import { malformed } from './malformed.ts';
import type { CompiledNodes } from './scope.ts';
import { operators } from './operators/table.ts';
import { allConditions } from './rewrite.ts';

/**
 * Validates a filter against a catalogue's fields.
 * @param options.strict turns warnings about unknown fields or superfluous bounds into errors
 * @param options.compiled see compileSqon
 * @returns notices for the caller, each with its JSON path: unknown fields, conditions that are constant
 * @throws TributaryError BAD_USER_INPUT when the filter does not fit the catalogue: a pivot that is not a nested path,
 *   a value of the wrong type, a range on an unordered field
 */
export const validateSqon = (
  sqon: Sqon | null,
  fields: Fields,
  options: { strict?: boolean; compiled?: CompiledNodes } = {},
): string[] => {
  compileSqon(sqon, fields, options.compiled);
  const check: Check = { fields, strict: options.strict === true, warnings: [], hintsLeft: maxHints };
  for (const one of sqon === null ? [] : allConditions(sqon))
    if (one.kind === 'leaf') checkLeaf(one, check);
    else checkNames(one, check);
  return check.warnings;
};

interface Check {
  readonly fields: Fields;
  readonly strict: boolean;
  readonly warnings: string[];
  hintsLeft: number;
}

/** How many names are compared with all fields; a filter may contain thousands. */
const maxHints = 5;

const checkLeaf = (leaf: SqonLeaf, check: Check): void => {
  const { fieldName, at } = leaf;
  const { warnings } = check;
  const field = fieldNamed(check.fields, fieldName);
  if (field === undefined) {
    const unknown = unknownField(fieldName, `${at}.content.fieldName`, check);
    warnings.push(`filter at ${at}: ${unknown}, the condition matches ${extent(leaf)}`);
  } else if (field.kind === 'json' && !testsExistence(leaf, field))
    warnings.push(
      `filter at ${at}: field "${fieldName}" of type ${field.type} is not searchable, the condition matches ${extent(leaf)}`,
    );
  else if (leaf.values.length === 0 && leaf.exactFrom === undefined)
    warnings.push(`filter at ${at}: no values for "${fieldName}", the condition matches ${extent(leaf)}`);
  else checkValues(leaf, check);
};

const checkValues = (leaf: SqonLeaf, { strict, warnings }: Check): void => {
  const notice = operators[leaf.op].notice(leaf);
  if (notice === null) return;
  if (strict) throw malformed(`${leaf.at}.content.value`, leaf.values, notice.accepted);
  warnings.push(`filter at ${leaf.at}: ${notice.text}`);
};

const extent = (leaf: SqonLeaf): string => (constantLeaf(leaf).kind === 'all' ? 'everything' : 'nothing');

const checkNames = (sqon: SqonMulti, check: Check): void => {
  const { fieldNames, at } = sqon;
  const { fields, warnings } = check;
  const operator = operators[sqon.op];
  const notice = operator.notice(sqon);
  if (notice !== null) warnings.push(`filter at ${at}: ${notice}`);
  if (fieldNames.length === 0)
    warnings.push(`filter at ${at}: no fields to search, the condition matches nothing`);
  for (const [position, name] of fieldNames.entries()) {
    const field = fieldNamed(fields, name);
    if (field === undefined) {
      const unknown = unknownField(name, `${at}.content.fieldNames[${position}]`, check);
      warnings.push(`filter at ${at}: ${unknown}, nothing is found in it`);
    } else if (!operator.finds(field))
      warnings.push(
        `filter at ${at}: field "${name}" of type ${field.type} has no text, nothing is found in it`,
      );
  }
};

/** The notice about an unknown field name. @throws TributaryError BAD_USER_INPUT when that is an error */
const unknownField = (name: string, at: string, check: Check): string => {
  const likely = check.hintsLeft > 0 ? likelyField(name, check.fields) : undefined;
  check.hintsLeft -= 1;
  const hint = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
  if (!check.strict) return `unknown field "${name}"${hint}`;
  const accepted = 'a field listed by the introspection endpoint';
  throw badUserInput(`filter at ${at}: expected a field of this catalogue, found "${name}"${hint}`, {
    details: { path: at, found: name, accepted, ...(likely !== undefined && { didYouMean: likely }) },
  });
};
