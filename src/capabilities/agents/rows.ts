import type { z } from 'zod';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { Entrance, Visit } from '../../server/http/doors/door.ts';
import { documentKey } from '../../introspection/fields/field.ts';
import { valueAt, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { CursorValue } from '../../engines/engine.ts';
import {
  countOnly,
  plainQuery,
  type CatalogueHit,
  type CatalogueResult,
  type HitsRequest,
} from '../../search/query.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { citedAs, endingOf, type ToolAnswer } from './citation.ts';
import { nearestValues } from './describe.ts';
import { boundsOf, coverageText, shown, totalText } from './sentences.ts';
import { fieldOf, sqonOf, type where } from './where.ts';

interface SearchSent {
  readonly catalogue: string;
  readonly where?: z.output<typeof where> | undefined;
  readonly fields: readonly string[];
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Shows a page of matching records. @throws TributaryError NOT_DISCLOSED for callers who may not see records */
export const search = async (entrance: Entrance, sent: SearchSent): Promise<ToolAnswer> => {
  const visit = await entrance.open(sent.catalogue);
  const { fields } = visit.catalogue;
  const sqon = sqonOf(sent.where, fields);
  const paths = sent.fields.map((path) => fieldOf(path, fields).path);
  const searchAfter = sent.cursor === undefined ? null : cursorIn(sent.cursor);
  const result = await pageOf(visit, sqon, { first: sent.limit, fields: paths, searchAfter });
  const cited = citedAs(entrance, visit, { result, sqon, id: sent.catalogue });
  const names = namesIn(result);
  const rows = result.hits.map((hit) => rowOf(hit, paths, names));
  const last = result.hits.at(-1);
  const cursor = last !== undefined && rows.length === sent.limit ? cursorText(last.cursor) : undefined;
  const coverage = coverageText(result);
  const text = [
    [totalText(result), coverage].filter((part) => part !== '').join(' '),
    ...rows.map(lineOf),
    ...(await nearestValues(visit, sent.where, result)),
    ...visit.warnings().map(shown),
    ...(cursor === undefined ? [] : ['There may be more: ask again with the cursor.']),
  ].join('\n');
  const data = {
    total: result.total === null ? null : boundsOf(result.total),
    coverage,
    rows,
    ...(cursor !== undefined && { cursor }),
    ...cited,
  };
  return { text, ending: endingOf(cited), data };
};

/** Shows one record in full. @throws TributaryError NOT_FOUND; NOT_DISCLOSED as search */
export const getRecord = async (
  entrance: Entrance,
  { catalogue, id }: { readonly catalogue: string; readonly id: string },
): Promise<ToolAnswer> => {
  const visit = await entrance.open(catalogue);
  const sqon = { op: 'is', content: { fieldName: documentKey.path, value: [id] } };
  const result = await pageOf(visit, sqon, { first: 2, fields: null, searchAfter: null });
  const [hit, another] = result.hits;
  if (hit === undefined)
    throw new TributaryError('NOT_FOUND', `there is no record ${JSON.stringify(id.slice(0, 200))}`);
  const { cite } = citedAs(entrance, visit, { result, sqon: null, id: catalogue });
  const institution = hit.nodeId === undefined ? undefined : (namesIn(result).get(hit.nodeId) ?? hit.nodeId);
  const others = another === undefined ? [] : ['Other institutions have a record with this id too.'];
  const text = [JSON.stringify(shownValue(hit.source), null, 1), ...others].join('\n');
  return {
    text,
    ending: cite,
    data: { record: shownValue(hit.source), ...(institution !== undefined && { institution }), cite },
  };
};

const pageOf = (
  { search: run }: Visit,
  sqon: JsonObject | null,
  page: Pick<HitsRequest, 'first' | 'fields' | 'searchAfter'>,
): Promise<CatalogueResult> =>
  run({
    ...plainQuery,
    filters: parseSqon(sqon),
    hits: { ...countOnly, ...page, bounded: true },
  });

const cursorText = (cursor: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** @throws TributaryError BAD_USER_INPUT */
const cursorIn = (text: string): readonly CursorValue[] => {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(cursor)) return cursor as readonly CursorValue[];
  } catch {
    // reported below
  }
  throw badUserInput('this cursor is none of an answer: leave it out for the first page');
};

const namesIn = ({ nodes }: CatalogueResult): ReadonlyMap<string, string> =>
  new Map(nodes?.statuses.map(({ nodeId, name }) => [nodeId, shown(name)]));

interface Row {
  readonly id: string;
  readonly institution?: string;
  readonly values: Readonly<Record<string, JsonValue>>;
}

const rowOf = (
  { id, nodeId, source }: CatalogueHit,
  paths: readonly string[],
  names: ReadonlyMap<string, string>,
): Row => ({
  id: shown(id),
  ...(nodeId !== undefined && { institution: names.get(nodeId) ?? nodeId }),
  values: Object.fromEntries(paths.map((path) => [path, shownValue(valueAt(source, path) ?? null)])),
});

const lineOf = ({ id, institution, values }: Row): string =>
  `${id}${institution === undefined ? '' : ` (${institution})`}: ${JSON.stringify(values)}`;

/** A value with its texts escaped for display. */
const shownValue = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return shown(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(shownValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shown(key), shownValue(one ?? null)]));
};
