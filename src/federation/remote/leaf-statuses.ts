import type { ErrorCode } from '../../errors/errors.ts';
import { errorCodes } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import type { FacetCoverage } from '../../search/facet-answer.ts';
import type { CoverageState, NodeState } from '../../search/node-states.ts';
import { coverageStates, nodeStates } from '../../search/node-states.ts';
import type { NodeStatus, WithheldStatement } from '../../search/nodes-answer.ts';
import { isKey, withheldStatement } from './node-statements.ts';

// Checked by hand: a question to networks of many nodes has thousands of these, which takes a schema ten times as long.

/** The most nodes that a network may tell of. */
export const maxNodes = 10_000;

/**
 * What a network says of its nodes.
 * @param listed the value of its field `nodes`
 * @returns null where it is malformed
 */
export const readStatuses = (listed: unknown): readonly NodeStatus[] | null => readEach(listed, readStatus);

/** The same of the nodes that a facet comes from. @param listed the value of its field `coverage` */
export const readCoverage = (listed: unknown): readonly FacetCoverage[] | null =>
  readEach(listed, readCoverageOf);

const readEach = <Item>(listed: unknown, read: (value: unknown) => Item | null): readonly Item[] | null => {
  if (!Array.isArray(listed) || listed.length > maxNodes) return null;
  const items: Item[] = [];
  for (const value of listed as readonly unknown[]) {
    const item = read(value);
    if (item === null) return null;
    items.push(item);
  }
  return items;
};

const readStatus = (value: unknown): NodeStatus | null => {
  if (!isJsonObject(value)) return null;
  const { nodeId, name, hits, upper_bound: upperBound, withheld, disclosure } = value;
  const { status, errors, state, code, took, uncoveredFields, key } = value;
  if (!isId(nodeId) || !isText(name) || !isNumber(hits) || !isNumber(upperBound) || !isFlag(withheld))
    return null;
  if (!isStatus(status) || !isText(errors) || !isNodeState(state)) return null;
  if (!isNumber(took) || !isPaths(uncoveredFields)) return null;
  return {
    nodeId,
    name: (name && shownText(name)) || nodeId,
    hits: hits ?? null,
    ...(withheld === true && { withheld: releaseIn(disclosure), upperBound: upperBound ?? null }),
    status: status ?? null,
    errors: errors ? shownText(errors) : '',
    state,
    code: isCode(code) ? code : null,
    took: took ?? 0,
    uncoveredFields: uncoveredFields ?? none,
    key: isKey(key) ? key : null,
  };
};

const readCoverageOf = (value: unknown): FacetCoverage | null => {
  if (!isJsonObject(value)) return null;
  const { nodeId, state, docs } = value;
  return isId(nodeId) && isCoverageState(state) && isNumber(docs)
    ? { nodeId, state, docs: docs ?? null }
    : null;
};

/** A node of a network none of which answered. @param errors safe to show */
export const silentStatus = (nodeId: string, state: NodeState, errors: string): NodeStatus => ({
  ...{ nodeId, name: nodeId, hits: 0, status: 'ERROR', errors, state },
  ...{ code: null, took: 0, uncoveredFields: none, key: null },
});

/** Nothing of another server reaches a page but plain text on one line, of limited length. */
export const shownText = (text: string): string => (unclean.test(text) ? oneLine(text) : text).slice(0, 300);

/** In none of most texts: what is not of ASCII, or may not stay as it is. */
const unclean = /[^ -;=?-~]| {2}|^ | $/;

const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();

const none: readonly string[] = [];

/** Of a node that does not say more than that it withholds its records. */
const unnamedRelease: WithheldStatement = { tier: 'counts', threshold: 1, counted: '', date: null };

const releaseIn = (disclosure: unknown): WithheldStatement => {
  const parsed = withheldStatement.safeParse(disclosure);
  return parsed.success ? parsed.data : unnamedRelease;
};

type Unsaid = null | undefined;

const isUnsaid = (value: unknown): value is Unsaid => value === null || value === undefined;

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 1_000;

const isText = (value: unknown): value is string | Unsaid => typeof value === 'string' || isUnsaid(value);

const isNumber = (value: unknown): value is number | Unsaid =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : isUnsaid(value);

const isFlag = (value: unknown): value is boolean | Unsaid => typeof value === 'boolean' || isUnsaid(value);

const isStatus = (value: unknown): value is NodeStatus['status'] | undefined =>
  value === 'OK' || value === 'ERROR' || isUnsaid(value);

const isPaths = (value: unknown): value is readonly string[] | Unsaid =>
  Array.isArray(value)
    ? value.length <= 10_000 && value.every((path) => typeof path === 'string' && path.length <= 1_000)
    : isUnsaid(value);

const isOneOf = <Value>(values: readonly Value[]): ((value: unknown) => value is Value) => {
  const known = new Set<unknown>(values);
  return (value): value is Value => known.has(value);
};

const isNodeState = isOneOf<NodeState>(nodeStates);
const isCoverageState = isOneOf<CoverageState>(coverageStates);
const isCode = isOneOf<ErrorCode>(Object.keys(errorCodes) as ErrorCode[]);
