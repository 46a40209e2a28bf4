import type { Engine, WriteOperation, WriteOutcome } from '../../engines/engine.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { withoutKeyField } from './document-id.ts';
import type { IndexTarget } from '../index-target.ts';
import { bulkWriter } from '../bulk-writer.ts';
import { grownMapping, mergeProperties } from '../mapping-body.ts';
import { fractionRounder, type RoundedFractions } from '../round-fractions.ts';
import type { DocumentRecord } from './records/source-record.ts';

export interface WriteCounts {
  readonly created: number;
  readonly updated: number;
}

export interface BatchWriter {
  /** Resolves when there is room for more. */
  addDocument(record: DocumentRecord, id: string): Promise<void>;
  /** Resolves when everything added is durable. */
  flush(): Promise<void>;
  readonly counts: () => WriteCounts;
  /** The mapping's properties, including those added by the documents. */
  readonly properties: () => JsonObject;
  /** By field. */
  readonly rounded: ReadonlyMap<string, RoundedFractions>;
}

interface Item {
  readonly line: number;
  readonly file?: string | undefined;
  readonly operation: WriteOperation;
  readonly bytes?: number;
}

type Refuse = (item: {
  readonly line: number;
  readonly file?: string | undefined;
  readonly id: string;
  readonly reason: string;
  readonly document: JsonObject | null;
}) => Promise<void>;

/**
 * Writes documents in batches bounded by count and bytes, extending the mapping before a batch that has new fields.
 * @param refuse called for every document that the engine refused, with its line and the engine's reason
 * @throws TributaryError from the engine, at the latest in `flush`
 */
export const batchWriter = (engine: Engine, target: IndexTarget, refuse: Refuse): BatchWriter => {
  let { properties } = target;
  let added: JsonObject = {};
  const counts = { created: 0, updated: 0 };
  const rounder = fractionRounder();
  const bulk = bulkWriter<Item>(engine, {
    index: async () => {
      const extension = added;
      added = {};
      if (Object.keys(extension).length > 0)
        await engine.manage({ kind: 'extend', index: target.index, properties: extension });
      return { index: target.index };
    },
    onOutcome: (item, outcome) => recordOutcome(item, outcome, counts, refuse),
  });

  return {
    addDocument: async (record, id) => {
      const { line, file, document, bytes } = record;
      const { reason, extended, grown } = grownMapping(properties, record.rounded ?? document, target);
      if (reason !== null) return refuse({ line, file, id, reason, document });
      properties = extended;
      if (grown !== null) added = mergeProperties(added, grown);
      const written = withoutKeyField(rounder.round(record, properties));
      const operation = { kind: 'upsert' as const, id, document: written };
      await bulk.add({ line, file, operation, bytes });
    },
    flush: () => bulk.finish().finally(bulk.settle),
    counts: () => ({ ...counts }),
    properties: () => properties,
    rounded: rounder.fields,
  };
};

const recordOutcome = async (
  { operation, line, file }: Item,
  outcome: WriteOutcome,
  counts: Record<keyof WriteCounts, number>,
  refuse: Refuse,
): Promise<void> => {
  switch (outcome.status) {
    case 'created':
    case 'updated':
      counts[outcome.status] += 1;
      return;
    // outcomes of deletions
    case 'deleted':
    case 'notFound':
      return;
    case 'refused': {
      const document = operation.kind === 'upsert' ? operation.document : null;
      await refuse({ line, file, id: operation.id, reason: outcome.reason, document });
    }
  }
};
