import type { AnswerOrigin, CatalogueResult } from '../../search/query.ts';
import { isTruncated, type FilePlan } from '../../local/download/file-plan.ts';
import { cutAtFile, otherRecords, type PartReport } from '../../local/download/manifest.ts';
import { exactly, isExact } from '../../search/count.ts';
import { matchesAt } from '../merge/status.ts';
import { missingFrom } from '../remote/network-node.ts';
import type { NodePlan } from '../query/plan.ts';
import type { NodeResult } from '../query/fanout.ts';
import { countOf } from '../../lib/text/plural.ts';

/** Why a node returns no more rows. */
export type PartEnd =
  | { readonly kind: 'open' }
  /** All of its rows were received. */
  | { readonly kind: 'whole' }
  /** It failed and stayed unavailable. */
  | { readonly kind: 'failed'; readonly answer: NodeResult }
  /** It has no cursors, and its offsets are limited. */
  | { readonly kind: 'window'; readonly rows: number }
  /** Its catalogue limits the rows of a file. */
  | { readonly kind: 'limit'; readonly rows: number };

/** One node's part in one file, updated while the file is written. */
export interface NodePart {
  readonly plan: NodePlan;
  /** The outcome of the first query. */
  readonly counted: NodeResult;
  /** Number of matching records; null if the node did not report it. */
  readonly matches: number | null;
  /** The maximum number of rows that the node gives to a file; null for all. */
  readonly rowLimit: number | null;
  end: PartEnd;
  /** Records received; more than are written if the file ends before them. */
  received: number;
  /** Records written, and the file rows made from them. */
  records: number;
  rows: number;
  /** Whether a limit left out some rows of a record. */
  isCut: boolean;
  /** The position of the last record written. */
  lastId: string | null;
  /** Taken from the first answer that has one. */
  origin: AnswerOrigin | null;
  /** Whether later answers came from different data than the first. */
  changed: boolean;
  /** Whether it is a network some of whose institutions did not answer, or withhold their records. */
  partial: boolean;
  readonly warnings: Set<string>;
}

/** A node's part of a file before its first row. */
export const newPart = (counted: NodeResult, rowLimit: number | null): NodePart => {
  const { plan, answer, state } = counted;
  const isQueried = state === 'ok' && plan.kind === 'query';
  const part: NodePart = {
    plan,
    counted,
    matches: state === 'ok' ? exactly(matchesAt(counted)) : null,
    rowLimit,
    end: isQueried
      ? { kind: 'open' }
      : state === 'ok' || state === 'excluded'
        ? { kind: 'whole' }
        : { kind: 'failed', answer: counted },
    received: 0,
    records: 0,
    rows: 0,
    isCut: false,
    lastId: null,
    origin: null,
    changed: false,
    partial: false,
    warnings: new Set(),
  };
  if (answer) noteAnswer(part, answer);
  return part;
};

/** What a part lacks that is `partial`. */
export const hasLackingNodes = 'some of its institutions did not answer, or withhold their records';

/** Records the metadata of an answer. */
export const noteAnswer = (part: NodePart, answer: CatalogueResult): void => {
  const { origin, warnings, total } = answer;
  // skip the node's filter warnings: they refer to the rewritten filter, and the original was validated here
  for (const warning of warnings) if (!warning.startsWith('filter at ')) part.warnings.add(warning);
  if (missingFrom(answer) !== null || (total !== null && !isExact(total))) part.partial = true;
  if (!origin) return;
  const known = part.origin?.generation ?? null;
  if (known !== null && origin.generation !== null && origin.generation !== known) part.changed = true;
  part.origin = known === null ? origin : part.origin;
};

/** Whether the file holds every record that matched when the file was begun. */
export const isWhole = ({
  end,
  changed,
  partial,
  matches,
  received,
  records,
  isCut,
  counted,
}: NodePart): boolean =>
  !partial &&
  !isCut &&
  counted.state !== 'excluded' &&
  end.kind === 'whole' &&
  !changed &&
  records === (matches ?? received);

/** Whether an answer comes from different data than the count: there may be fewer rows. */
export const isNewer = ({ origin }: NodePart, answer: CatalogueResult): boolean => {
  const [known, now] = [origin?.generation ?? null, answer.origin?.generation ?? null];
  return known !== null && now !== null && known !== now;
};

/**
 * What a part's node gave to a file that is made.
 * @param limit the limit of the file, if it has reached it
 */
export const reportOf = (part: NodePart, unknown: readonly string[], limit: number | null): PartReport => {
  const { counted, end, matches, records, changed } = part;
  const rowsComplete = isWhole(part);
  return {
    ...describedPart(part, unknown),
    state: end.kind === 'failed' ? end.answer.state : counted.state,
    stopped: rowsComplete ? null : whyStopped(part, limit),
    rowsComplete,
    // fewer or more rows than matched, without a failure: the data changed in the meantime
    changedDuring:
      changed || (limit === null && end.kind === 'whole' && matches !== null && records !== matches),
  };
};

/** What is known of a part before its file is made. */
export const plannedReportOf = (
  part: NodePart,
  unknown: readonly string[],
  levels: FilePlan['levels'],
): PartReport => ({
  ...describedPart(part, unknown),
  state: part.counted.state,
  stopped: whyLacking(part, levels),
  rowsComplete: false,
  changedDuring: false,
});

const describedPart = (
  { plan, end, origin, matches, records, rows, lastId, warnings }: NodePart,
  unknown: readonly string[],
) => {
  const { nodeId, displayName } = plan.node.config;
  return {
    nodeId,
    name: displayName,
    ...{ origin, matches, records, rows, lastId },
    code: end.kind === 'failed' ? end.answer.code : null,
    uncoveredFields: [...plan.uncoveredFields, ...unknown],
    warnings: [...warnings],
  };
};

/** Why not all of a node's records will be in a file, as far as that is known before it is made; null: not known. */
const whyLacking = (
  { end, partial, matches, rowLimit }: NodePart,
  levels: FilePlan['levels'],
): string | null => {
  if (end.kind === 'failed') return end.answer.reason;
  if (partial) return hasLackingNodes;
  const isCut = isTruncated({ limit: rowLimit, levels }, matches ?? 0) === true;
  return isCut ? cutByNode(rowLimit!) : null;
};

const cutByNode = (rows: number): string => `cut after the ${countOf(rows, 'row')} that it allows in a file`;

const whyStopped = (
  { end, changed, partial, records, matches }: NodePart,
  limit: number | null,
): string | null => {
  if (partial && end.kind === 'whole') return hasLackingNodes;
  switch (end.kind) {
    case 'failed':
      return end.answer.reason;
    case 'window':
      return `has no cursors: cut after the ${countOf(end.rows, 'row')} that its offsets reach`;
    case 'limit':
      return cutByNode(end.rows);
    case 'open':
      return limit === null ? 'the download ended before its turn' : cutAtFile(limit);
    case 'whole':
      if (changed) return 'its data changed while they were read';
      if (limit !== null) return cutAtFile(limit);
      return matches === null || records === matches ? null : otherRecords(records, matches);
  }
};
