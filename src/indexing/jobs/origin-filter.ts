import type { IndexField, Origin } from '../../introspection/fields/field.ts';
import { documentKey, originField } from '../../introspection/fields/field.ts';
import type { Filter } from '../../sqon/filter.ts';
import { and, not, or } from '../../sqon/filter.ts';

const fieldOf = (part: keyof Origin): IndexField => ({
  path: `${originField}.${part}`,
  type: 'keyword',
  nestedIn: [],
});

const is = (part: keyof Origin, value: string): Filter => ({
  kind: 'terms',
  field: fieldOf(part),
  values: [value],
});

/** The documents of a repository, or of one organization in it. */
export const fromRepository = (repository: string, organization: string | null): Filter =>
  and([is('repository', repository), ...(organization === null ? [] : [is('organization', organization)])]);

/** Documents not written by this run. */
export const notOfRun = (run: string): Filter => not(is('run', run));

/** The documents of some records. */
export const ofRecords = (recordIds: readonly string[]): Filter =>
  or([
    { kind: 'terms', field: documentKey.indexField, values: recordIds },
    { kind: 'terms', field: fieldOf('record'), values: recordIds },
  ]);

/** Documents that no job wrote, such as those loaded from files. */
export const ofNoRepository: Filter = not({ kind: 'exists', field: fieldOf('repository') });
