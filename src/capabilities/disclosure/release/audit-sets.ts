import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { JointOutcome, JointReport } from '../audit/audit.ts';
import type { Counts } from '../table/count-cells.ts';
import type { ReleasedTable } from '../table/released-table.ts';

/** Solves the joint tables of sets of four dimensions. */
export type AuditSets = (task: SetsTask) => Promise<JointOutcome>;

export interface SetsTask {
  readonly table: ReleasedTable;
  readonly counts: Counts;
  readonly required: number;
}

/** The reply of the thread; null: the solver is not installed. */
export type SetsReply = JointReport | null;

/** Solving larger releases takes hours. */
const maxCells = 20_000;

/** Runs in a separate thread: a linear program cannot be interrupted, and there are thousands. */
export const auditSetsApart: AuditSets = async (task) => {
  const cells = [...task.table.blocks.values()].reduce((sum, { levels }) => sum + levels.length, 0);
  if (cells > maxCells)
    return { kind: 'unsolved', why: `the release has more than ${maxCells.toLocaleString('en')} cells` };
  const reply = await replyTo(task);
  return reply === null
    ? { kind: 'unsolved', why: 'the optional package highs is not installed' }
    : { kind: 'solved', ...reply };
};

const replyTo = async (task: SetsTask): Promise<SetsReply> => {
  const { promise, resolve, reject } = Promise.withResolvers<SetsReply>();
  const program = new URL(`./audit-sets-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(program, {
    workerData: task,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that solves joint tables ended')));
  try {
    return await promise;
  } finally {
    await worker.terminate();
  }
};
