import type { IndexDescription } from '../../engines/engine.ts';
import { documentId } from './document-id.ts';
import type { ImportPlan, PlanRequest } from './plan-import.ts';
import { planImport } from './plan-import.ts';
import type { Reject } from './rejects-file.ts';

/** The expected result of loading a file, as far as it can be known without an engine. */
export interface Trial {
  /** Based on the whole file. */
  readonly plan: ImportPlan;
  /** Readable documents with a key. */
  readonly documents: number;
  /** Delete actions of a bulk body. */
  readonly deletions: number;
  /** Records with the key of an earlier one, which they would replace. */
  readonly repeated: number;
  readonly rejected: number;
  /** The first of them. */
  readonly rejects: readonly Reject[];
}

const shownRejects = 10;

/**
 * Reads a whole file as an import would, without writing.
 * @param existing the index that has the name
 * @throws TributaryError that an import would end with
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
