import { missing, readCursor, sortValues } from '../../engines/semantics/cursor.ts';
import type { CursorValue, SortKey } from '../../engines/engine.ts';
import { fieldNamed } from '../../introspection/fields/field.ts';
import { pageSize, sortKey } from '../../local/hits/hits-query.ts';
import { shownCursorPrinter } from '../../local/hits/cursor.ts';
import type { HitsRequest, SortRequest } from '../../search/query.ts';
import type { MergedHit } from '../merge/hits.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import { leafPaths } from '../nodes/network-document.ts';
import type { CursorScope } from '../query/cursor.ts';
import { cursorScope, parseCursor } from '../query/cursor.ts';
import type { NetworkPage } from '../query/network-query.ts';
import type { QueryPlan } from '../query/plan.ts';
import { assertSortable } from '../query/plan-sort.ts';

/** The page of hits that a query in the form of a catalogue's requests from a network. */
export interface CataloguePage {
  readonly page: NetworkPage;
  /** The paths that documents are shown with. */
  readonly paths: readonly string[];
  /** The cursor behind a hit; empty when a node that gave one before it has none. */
  readonly cursorOf: (hit: MergedHit, plan: QueryPlan) => readonly CursorValue[];
}

export interface PageContext {
  readonly network: NetworkFields;
  /** The nodes that are queried. */
  readonly nodeIds: readonly string[];
  readonly maxResultsWindow: number;
  /** Receives changes made to the request. */
  readonly warn: (message: string) => void;
}

/** @throws TributaryError BAD_USER_INPUT for a page, a sort or a cursor that does not fit, as a catalogue throws it */
export const cataloguePage = (request: HitsRequest, context: PageContext): CataloguePage => {
  const { network, nodeIds, warn, maxResultsWindow } = context;
  const first = pageSize(request, { window: maxResultsWindow, warn });
  const sort = request.sort.filter((key) => sortKey(key, { fields: network.fields, warn }).length > 0);
  assertSortable(sort, network);
  const keys = sort.map((key) => cursorKey(key, network));
  const scopeNow = (): CursorScope => cursorScope(nodeIds, sort, network);
  const tieBreak = request.searchAfter && readCursor(request.searchAfter, keys).tieBreak;
  const after = request.searchAfter && parseCursor(tieBreak ?? '', scopeNow);
  let scope = after?.scope ?? null;
  const print = shownCursorPrinter(keys);
  const { fields, objects, paths } = shownFields(request, network);
  return {
    page: {
      first,
      offset: request.offset,
      sort,
      after: after?.position ?? null,
      trackTotal: request.trackTotal,
      // no total is shown where it was not requested
      ...((request.bounded ?? !request.trackTotal) && { bounded: true }),
      fields,
      objects,
    },
    paths,
    cursorOf: (hit, plan) => {
      const position = hit.printPosition((scope ??= scopeNow()));
      if (position === null) return [];
      const own = sortValues(hit.hit.cursor, plan.sortedBy);
      const values = keys.map((_, at) => {
        const index = plan.sort[at];
        return index == null ? missing : own[index]!;
      });
      return print(values, position);
    },
  };
};

const cursorKey = (
  { fieldName, order, mode, missing: end }: SortRequest,
  { fields }: NetworkFields,
): SortKey => ({
  field: fieldNamed(fields, fieldName)!.indexField,
  order,
  mode: mode ?? (order === 'asc' ? 'min' : 'max'),
  missing: end ?? (order === 'asc' ? 'first' : 'last'),
});

interface ShownFields extends Required<Pick<NetworkPage, 'fields' | 'objects'>> {
  /** Both of them. */
  readonly paths: readonly string[];
}

/** The values to request, and the objects that count even without any of them. */
const shownFields = ({ fields, shown }: HitsRequest, network: NetworkFields): ShownFields => {
  const paths = fields ?? [...network.fields.keys()];
  const objects = paths.filter((path) => network.fields.get(path)?.kind === 'nested');
  const values = new Set<string>();
  for (const path of paths) {
    const below = fields === null ? [] : (shown ?? []).filter((one) => one.startsWith(`${path}.`));
    for (const one of leafPaths(below.length > 0 ? below : [path], network)) values.add(one);
  }
  return { fields: [...values], objects, paths: [...values, ...objects] };
};
