import { TributaryError } from '../../errors/errors.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { fieldNamed } from '../../introspection/fields/field.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { validateSqon } from '../../sqon/validate.ts';
import type { RequestContext } from '../../search/request-context.ts';

/**
 * The part of a catalogue visible to this caller; null is everything. It is kept separate from the caller's own filter,
 * so that no rewrite of that one (a facet's self-exclusion) can ever drop it.
 *
 * @throws TributaryError FORBIDDEN when the filter does not fit the catalogue: a rule on a missing field must not grant
 *   access; whatever `caller.accessFilter` throws
 */
export const accessFilter = async (
  catalogueId: string,
  fields: Fields,
  context: RequestContext,
): Promise<Sqon | null> => {
  const sqon = await context.caller.accessFilter(catalogueId);
  if (sqon === null) return null;
  const unknown = fieldNames(sqon).find((name) => fieldNamed(fields, name) === undefined);
  if (unknown !== undefined) throw misfit(catalogueId, new Error(`unknown field ${unknown}`));
  try {
    validateSqon(sqon, fields);
  } catch (error) {
    throw misfit(catalogueId, error);
  }
  return sqon;
};

const misfit = (catalogueId: string, cause: unknown): TributaryError =>
  new TributaryError('FORBIDDEN', `the access filter of catalogue ${catalogueId} does not fit its fields`, {
    cause,
  });

const fieldNames = (sqon: Sqon): readonly string[] => {
  const names: string[] = [];
  const open: Sqon[] = [sqon];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    switch (node.kind) {
      case 'group':
        open.push(...node.content);
        break;
      case 'leaf':
        names.push(node.fieldName);
        break;
      case 'multi':
        names.push(...node.fieldNames);
        break;
      case 'constant':
        break;
    }
  }
  return names;
};
