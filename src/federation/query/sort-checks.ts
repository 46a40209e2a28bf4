import { TributaryError } from '../../errors/errors.ts';
import { documentKey } from '../../introspection/fields/field.ts';
import { maxSortKeys } from '../../local/hits/hits-query.ts';
import { assertSortable as assertSortableField } from '../../engines/semantics/field-uses.ts';
import type { SortRequest } from '../../search/query.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';

/** @throws TributaryError BAD_USER_INPUT for too many keys, fields that no node has and unsortable fields */
export const assertSortable = (
  sort: readonly SortRequest[],
  { fields }: Pick<NetworkFields, 'fields'>,
): void => {
  if (sort.length > maxSortKeys) throw badInput(`sort takes at most ${maxSortKeys} keys, not ${sort.length}`);
  for (const { fieldName, mode } of sort) {
    const field = fieldName === documentKey.path ? documentKey : fields.get(fieldName);
    if (!field) throw badInput(`cannot sort by "${fieldName}": no node of the network has it`);
    assertSortableField(field, mode);
  }
};

const badInput = (message: string): TributaryError => new TributaryError('BAD_USER_INPUT', message);
