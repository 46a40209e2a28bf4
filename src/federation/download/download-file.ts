import { TributaryError, type ErrorCode } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { FileRequest } from '../../local/download/parse-download.ts';
import { documentLimit, filePlan, fileText } from '../../local/download/file-plan.ts';
import type { FilePlan, FileSource, WrittenRows } from '../../local/download/file-plan.ts';
import type { SourceFile } from '../../local/download/open-download.ts';
import { asDownload } from '../../search/audited-search.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { mergeKeys } from '../merge/answers.ts';
import { assertRequired } from '../merge/status.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import { fanout, type NodeResult } from '../query/fanout.ts';
import { plan as planNodes, type NodePlan } from '../query/plan.ts';
import type { NodesQuery } from '../query/network-query.ts';
import { hasLackingNodes, newPart, plannedReportOf, reportOf, type NodePart } from './node-part.ts';
import { queryWithRetries, nodePages } from './node-pages.ts';
import { mergedRows, type MergedRow } from './merged-rows.ts';
import { documentTranslator, leafPaths } from '../nodes/network-document.ts';

/** The column that names the node of a row. */
const nodeColumn = '_node';

/** What the files of one download share. */
export interface FileContext {
  readonly nodes: readonly NodeView[];
  readonly network: NetworkFields;
  readonly source: FileSource;
  readonly only: ReadonlySet<string> | null;
  readonly requestContext: RequestContext;
  /** What the audit trail records of its questions. */
  readonly kind: 'download' | 'count';
  readonly aborts: boolean;
  readonly pageRows: number;
  readonly window: number;
  /** The download limits of a node's catalogue, if it is in this process; null if it refuses downloads. */
  readonly limitOf: (node: NodeView) => { readonly maxRows: number | null } | null;
}

/** A network file ready to be written: each node's number of matches is known. */
export interface NetworkFile extends SourceFile {
  /** Columns that no node has a field for; the file omits them. */
  readonly unknown: readonly string[];
  /** Whether no node has a field for any of its columns. */
  readonly isUnknown: boolean;
  readonly nodeParts: readonly NodePart[];
}

/** @throws TributaryError BAD_USER_INPUT for invalid columns; the error of a required node that failed */
export const openNetworkFile = async (sent: FileRequest, shared: FileContext): Promise<NetworkFile> => {
  const { request, unknown, isUnknown } = withKnownColumns(sent, shared);
  const plan = filePlan(request, shared.source);
  const context =
    shared.kind === 'count'
      ? shared
      : { ...shared, requestContext: asDownload(shared.requestContext, plan.query.hits.fields ?? ['*']) };
  const paths = leafPaths(plan.query.hits.fields ?? [], context.network);
  const containers = (plan.query.hits.fields ?? []).filter((path) => !paths.includes(path));
  const question = questionOf(request, [...paths, ...containers], context);
  const plans = planNodes(question, context.network, context.nodes);
  const counted = await Promise.all(plans.map((planned) => count(planned, context)));
  const parts = counted.map((answer) => newPart(answer, shared.limitOf(answer.plan.node)?.maxRows ?? null));
  for (const part of parts) failIfRequired(part, context);
  return {
    ...{ request, plan, unknown, isUnknown, nodeParts: parts },
    total: parts.reduce((sum, { matches }) => sum + (matches ?? 0), 0),
    text: textOf(plan, parts, paths, request, context),
    parts: () => {
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      const limit = plan.limit !== null && rows >= plan.limit ? plan.limit : null;
      return parts.map((part) => reportOf(part, unknown, limit));
    },
    planned: () => parts.map((part) => plannedReportOf(part, unknown, plan.levels)),
  };
};

/** Leaves out columns that no node has; if none is left, the file is refused once nodes have answered. */
const withKnownColumns = (
  sent: FileRequest,
  { source }: FileContext,
): Pick<NetworkFile, 'request' | 'unknown' | 'isUnknown'> => {
  const unknownIn = (columns: FileRequest['columns']): readonly string[] =>
    filePlan({ ...sent, columns }, source).unknown.filter((name) => name !== nodeColumn);
  const unknown = unknownIn(sent.columns);
  const columns = sent.columns.filter((column) => unknownIn([column]).length === 0);
  const isUnknown = unknown.length > 0 && columns.length === 0;
  return { request: isUnknown ? sent : { ...sent, columns }, unknown, isUnknown };
};

const questionOf = (
  { sqon, sort }: FileRequest,
  fields: readonly string[],
  { only }: FileContext,
): NodesQuery => ({
  filters: sqon,
  filterThemselves: false,
  includeMissing: true,
  only,
  facets: [],
  hits: { first: 1, offset: 0, sort, after: null, trackTotal: true, fields },
});

/** Counting first makes each node check filter, sort and access before anything is written. */
const count = async (plan: NodePlan, { requestContext, limitOf }: FileContext): Promise<NodeResult> => {
  if (plan.kind !== 'query') return (await fanout([plan], requestContext))[0]!;
  if (limitOf(plan.node) === null) return rejectDownload(plan);
  const hits = { ...plan.query.hits!, first: 0 };
  const counting = { ...plan, query: { ...plan.query, hits } };
  const answer = await queryWithRetries(counting, requestContext, {
    waitsForCircuit: false,
    faultOf: () => null,
  });
  // a lower bound is not a number of rows
  const isWithheld = answer.code === 'NOT_DISCLOSED' || answer.answer?.withheld !== undefined;
  return isWithheld ? withheldRecords(plan) : { ...answer, plan };
};

const rejectDownload = (plan: NodePlan): NodeResult =>
  refused(plan, 'FORBIDDEN', 'does not give its records as downloads');

const withheldRecords = (plan: NodePlan): NodeResult =>
  refused(plan, 'NOT_DISCLOSED', 'withholds its records: it discloses counts only');

const refused = (plan: NodePlan, code: ErrorCode, reason: string): NodeResult => ({
  plan,
  state: 'refused',
  code,
  reason,
  tookMs: 0,
  answer: null,
});

/** @throws TributaryError with the node's code, when the download must not end without it */
const failIfRequired = ({ plan, end, partial }: NodePart, { aborts }: Pick<FileContext, 'aborts'>): void => {
  const { nodeId } = plan.node.config;
  if (end.kind === 'failed') assertRequired([end.answer], aborts ? [nodeId] : []);
  else if (partial && aborts)
    throw new TributaryError('NODE_UNREACHABLE', `node "${nodeId}" failed: ${hasLackingNodes}`);
};

const textOf = (
  plan: FilePlan,
  parts: readonly NodePart[],
  paths: readonly string[],
  { sort }: FileRequest,
  context: FileContext,
): AsyncGenerator<string> => {
  const { network, requestContext, pageRows, window } = context;
  const keys = mergeKeys(sort, network);
  const reader = requestContext.withPagedAllowance();
  const streams = parts.flatMap((part) => {
    if (part.plan.kind !== 'query' || part.end.kind !== 'open') return [];
    const limit = documentLimit({ ...plan, limit: part.rowLimit });
    const check = (answered: NodePart): void => failIfRequired(answered, context);
    const settings = { context: reader, pageRows, window, limit, check };
    return [{ part, pages: nodePages(part, part.plan, keys, settings) }];
  });
  const columns = new Map(
    parts.map((part) => [part, documentTranslator(part.plan.node, paths, network)] as const),
  );
  const documentOf = ({ part, hit }: MergedRow): JsonObject => ({
    id: hit.id,
    ...columns.get(part)!(hit.source),
    _id: hit.id,
    [nodeColumn]: part.plan.node.config.nodeId,
  });
  const roomOf = ({ part }: MergedRow): number => (part.rowLimit ?? Infinity) - part.rows;
  const wrote = ({ part, hit }: MergedRow, { rows, isCut }: WrittenRows): void => {
    part.rows += rows;
    part.isCut ||= isCut;
    if (isCut && part.rows === part.rowLimit) part.end = { kind: 'limit', rows: part.rowLimit };
    if (isCut && rows === 0) return;
    part.records += 1;
    part.lastId = hit.id;
  };
  return fileText(plan, mergedRows(streams, keys), documentOf, wrote, roomOf);
};
