import type { GraphQLResolveInfo } from 'graphql';
import { assertPage } from '../../engines/semantics/cursor.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import { below } from '../../graphql/selected-fields.ts';
import type { SortArg } from '../../local/hits/selection.ts';
import { sortRequests } from '../../local/hits/selection.ts';
import { assertSortable } from '../query/plan-sort.ts';
import type { CursorScope } from '../query/cursor.ts';
import { cursorScope, parseCursor } from '../query/cursor.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NetworkPage } from '../query/network-query.ts';
import { totalFields } from '../../local/hits/total-fields.ts';

/** The page of hits of one `network` field, before the queried nodes are known. */
export interface PlannedPage {
  /** A notice to the caller about changes to the page; null when there were none. */
  readonly clamped: string | null;
  /**
   * The page at its cursor, if it has one, for those nodes.
   * @throws TributaryError BAD_USER_INPUT for a cursor that does not fit
   */
  readonly from: (nodeIds: readonly string[]) => {
    readonly page: NetworkPage;
    /** Scope of the cursors in the answer. */
    readonly cursors: () => CursorScope;
  };
}

/**
 * Reads all `hits` of a `network` field as the single page that it returns.
 * @param maxResultsWindow the limit on offset + first
 * @throws TributaryError BAD_USER_INPUT for several pages, and for an invalid sort or page
 */
export const planPage = (
  info: GraphQLResolveInfo,
  selections: readonly SelectedField[],
  network: NetworkFields,
  maxResultsWindow: number,
): PlannedPage | null => {
  const [hits, ...others] = selections;
  if (!hits) return null;
  if (others.some(({ args }) => JSON.stringify(args) !== JSON.stringify(hits.args)))
    throw badInput('a network field gives one page of hits; request other pages in separate network fields');
  const sort = sortRequests((hits.args['sort'] as readonly (SortArg | null)[] | null | undefined) ?? []);
  assertSortable(sort, network);
  const asked = pageNumber('first', hits.args['first'], 10);
  const first = Math.min(asked, maxResultsWindow);
  const offset = pageNumber('offset', hits.args['offset'], 0);
  const searchAfter = hits.args['searchAfter'];
  const page = { offset, sort, ...shownOf(info, selections, hits, first) };
  const scopeOf = scopeCache((nodeIds) => cursorScope(nodeIds, sort, network));
  return {
    clamped:
      first < asked
        ? `first ${asked} is more than the network's results window; ${first} hits are shown`
        : null,
    from: (nodeIds) => {
      const after = parseCursor(searchAfter, () => scopeOf(nodeIds));
      assertPage(offset, first, maxResultsWindow, after !== null);
      return {
        page: { ...page, after: after?.position ?? null },
        cursors: () => after?.scope ?? scopeOf(nodeIds),
      };
    },
  };
};

const shownOf = (
  info: GraphQLResolveInfo,
  selections: readonly SelectedField[],
  { args }: SelectedField,
  first: number,
): Pick<NetworkPage, 'first' | 'trackTotal' | 'fields'> => {
  const children = selections.flatMap((field) => below(info, field));
  const edges = children.filter(({ name }) => name === 'edges');
  const nodes = edges.flatMap((edge) => below(info, edge)).filter(({ name }) => name === 'node');
  return {
    first: edges.length === 0 ? 0 : first,
    trackTotal: args['trackTotalHits'] !== false && children.some(({ name }) => totalFields.has(name)),
    fields: [...new Set(nodes.flatMap((node) => below(info, node)).flatMap(pathOf))],
  };
};

/** Hashes are computed only when a cursor is read or shown, and cached while the queried nodes stay the same. */
const scopeCache = (
  scopeOf: (nodeIds: readonly string[]) => CursorScope,
): ((nodeIds: readonly string[]) => CursorScope) => {
  let kept: { readonly key: string; readonly scope: CursorScope } | null = null;
  return (nodeIds) => {
    const key = JSON.stringify(nodeIds);
    if (kept?.key !== key) kept = { key, scope: scopeOf(nodeIds) };
    return kept.scope;
  };
};

const pathOf = ({ definition }: SelectedField): readonly string[] => {
  const path = definition.extensions['path'];
  return typeof path === 'string' ? [path] : [];
};

const pageNumber = (name: string, value: unknown, otherwise: number): number => {
  const number = typeof value === 'number' ? value : otherwise;
  if (number < 0) throw badInput(`${name} must be 0 or more, not ${number}`);
  return number;
};

const badInput = (message: string): TributaryError => new TributaryError('BAD_USER_INPUT', message);
