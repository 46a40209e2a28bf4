import type { IndexDescription } from '../../engines/engine.ts';
import { documentId } from './document-id.ts';
import type { ImportPlan, PlanRequest } from './plan-import.ts';
import { planImport } from './plan-import.ts';
import type { Reject } from './rejects-file.ts';

/** What loading a file would come to, as far as it can be told without an engine. */
export interface Trial {
  /** With the evidence of the whole file. */
  readonly plan: ImportPlan;
  /** Documents that could be read and have a key. */
  readonly documents: number;
  /** Actions of a bulk body that delete from what is there. */
  readonly deletions: number;
  /** Records whose key an earlier one has: they would take its place. */
  readonly repeated: number;
  readonly rejected: number;
  /** The first of them. */
  readonly rejects: readonly Reject[];
}

const shownRejects = 10;

/**
 * Reads a whole file as an import would and writes nothing.
 * @param existing what answers to the index's name
 * @throws TributaryError what an import would end with
 */
export const tryImport = async (request: PlanRequest, existing: IndexDescription | null): Promise<Trial> => {
  const plan = await planImport(request, existing);
  const sampled = new Set(plan.documents);
  const keys = new Set<string>();
  const rejects: Reject[] = [];
  let [documents, deletions, repeated, rejected] = [0, 0, 0, 0];
  const reject = (reason: Reject): void => {
    rejected += 1;
    if (rejects.length < shownRejects) rejects.push(reason);
  };
  for await (const record of plan.records) {
    if (record.kind === 'bad') reject({ line: record.line, reason: record.reason });
    if (record.kind === 'delete' && existing !== null && !request.replace) deletions += 1;
    if (record.kind !== 'document') continue;
    if (!sampled.delete(record)) plan.evidence.add(record.rounded ?? record.document, record.line);
    const id = documentId(record, plan.idRule);
    if (id === null) {
      const path = plan.idRule.kind === 'field' ? plan.idRule.path : '_id';
      reject({ line: record.line, reason: `no value in ${path}, the id field` });
      continue;
    }
    documents += 1;
    if (keys.has(id)) repeated += 1;
    keys.add(id);
  }
  return { plan, documents, deletions, repeated, rejected, rejects };
};
