import { extendMapping, refusalUnder } from '../../engines/embedded/index/write-operation.ts';
import { propertiesOf } from '../../introspection/mapping/mapping.ts';
import { grownMapping } from '../mapping-body.ts';
import { withoutKeyField } from './document-id.ts';
import { takeRecord } from './import-file.ts';
import { newKeySet } from './key-set.ts';
import { assertHeldBack, type ExistingIndex } from '../index-target.ts';
import { planImport, type ImportPlan, type PlanRequest } from './plan-import.ts';
import type { DocumentRecord } from './records/source-record.ts';
import type { Reject } from './rejects-file.ts';
import { fractionRounder, type RoundedFractions } from '../round-fractions.ts';
import { serverRefusals, type ServerRefusals, type ServerTarget } from './server-refusals.ts';

/** The expected result of loading a file, as far as it can be known without an engine. */
export interface Trial {
  /** Based on the whole file. */
  readonly plan: ImportPlan;
  /** Readable documents with a key that the engine would accept. */
  readonly documents: number;
  /** Records with the same key as an earlier one, which they would replace. */
  readonly repeated: number;
  readonly rejected: number;
  /** The first rejects. */
  readonly rejects: readonly Reject[];
  /** By field. */
  readonly rounded: ReadonlyMap<string, RoundedFractions>;
}

const shownRejects = 10;

/**
 * Reads a whole file as an import would, without writing.
 * @param existing the index that has the name
 * @param server the search server that the file would be loaded to; null for the embedded engine
 * @throws TributaryError errors with which an import would end
 */
export const tryImport = async (
  request: PlanRequest,
  existing: ExistingIndex | null,
  server: ServerTarget | null = null,
): Promise<Trial> => {
  const plan = await planImport(request, existing);
  const extended = request.replace ? null : existing;
  try {
    if (extended !== null) {
      assertHeldBack(plan.mapping, extended);
      extendMapping(extended.properties, propertiesOf(plan.mapping));
    }
    const refusals = serverRefusals(server);
    refusals.assertMapping(plan.properties);
    return await tryPlanned(plan, extended, refusals);
  } finally {
    await plan.release();
  }
};

const tryPlanned = async (
  plan: ImportPlan,
  extended: ExistingIndex | null,
  { refusalOf }: ServerRefusals,
): Promise<Trial> => {
  let surveyed = plan.complete ? Infinity : plan.documents.length;
  const { dynamic } = extended ?? plan.mapping;
  const refusal = (): ReturnType<typeof refusalUnder> =>
    refusalUnder({ ...(dynamic !== undefined && { dynamic }), properties });
  let properties = plan.properties;
  let refused = refusal();
  const keys = newKeySet();
  const rejects: Reject[] = [];
  const rounder = fractionRounder();
  let [documents, repeated, rejected] = [0, 0, 0];
  const reject = async (reason: Reject): Promise<void> => {
    rejected += 1;
    if (rejects.length < shownRejects) rejects.push(reason);
  };
  const addDocument = async (record: DocumentRecord, id: string): Promise<void> => {
    const { extended: grown, reason } = grownMapping(properties, record.rounded ?? record.document, plan);
    if (reason === null && grown !== properties) {
      properties = grown;
      refused = refusal();
    }
    const document = withoutKeyField(rounder.round(record, properties));
    const wrong = reason ?? refused(document) ?? refusalOf(id, document, properties);
    if (wrong !== null) return reject({ file: record.file, line: record.line, reason: wrong });
    documents += 1;
    // generated keys include the line number, so they are different
    const isGenerated = plan.idRule.kind === 'generated' && record.id === null;
    if (!isGenerated && !keys.add(id)) repeated += 1;
  };
  for await (const record of plan.records) {
    if (record.kind === 'document' && surveyed-- <= 0)
      plan.evidence.add(record.rounded ?? record.document, record.line, record.file);
    await takeRecord(record, plan, { addDocument, reject });
  }
  return { plan, documents, repeated, rejected, rejects, rounded: rounder.fields };
};
