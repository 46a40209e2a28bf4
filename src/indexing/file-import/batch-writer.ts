import type { Engine, WriteOperation, WriteOutcome } from '../../engines/engine.ts';
import { growth } from '../../introspection/mapping/infer.ts';
import type { JsonObject } from '../../json/json.ts';
import { withoutKeyField } from './document-id.ts';
import type { IndexTarget } from '../index-target.ts';
import { mappingCovers, mergeProperties, collisionText, fieldCollision } from '../mapping-body.ts';
import type { DeleteRecord, DocumentRecord } from './records/source-record.ts';
import { writeBatch } from '../write-batch.ts';

const maxOperations = 2_000;
const maxBytes = 8 * 1024 * 1024;

export interface WriteCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** Deletions of documents that the index does not have. */
  readonly absent: number;
}

export interface BatchWriter {
  /** Resolves when there is room for more: at most one batch is written while the next one fills. */
  addDocument(record: DocumentRecord, id: string): Promise<void>;
  addDelete(record: DeleteRecord): Promise<void>;
  /** Resolves when everything added is durable. */
  flush(): Promise<void>;
  readonly counts: () => WriteCounts;
  /** The mapping's properties, including those added by the documents. */
  readonly properties: () => JsonObject;
}

interface Item {
  readonly line: number;
  readonly file?: string | undefined;
  readonly operation: WriteOperation;
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
 * @param refuse called for every document the engine refused, with its line and the engine's reason
 * @throws TributaryError from the engine, at the latest in `flush`
 */
export const batchWriter = (engine: Engine, target: IndexTarget, refuse: Refuse): BatchWriter => {
  let properties = target.properties;
  let added: JsonObject = {};
  let batch: Item[] = [];
  let bytes = 0;
  let ids = new Set<string>();
  let inFlight: Promise<void> = Promise.resolve();
  const counts = { created: 0, updated: 0, deleted: 0, absent: 0 };

  const write = async (items: readonly Item[], extension: JsonObject): Promise<void> => {
    if (Object.keys(extension).length > 0)
      await engine.manage({ kind: 'extend', index: target.index, properties: extension });
    const outcomes = await writeBatch(engine, target.index, items.map((item) => item.operation)); // prettier-ignore
    for (const [position, item] of items.entries())
      await recordOutcome(item, outcomes[position]!, counts, refuse);
  };
  const send = async (): Promise<void> => {
    const [items, extension] = [batch, added];
    [batch, added, bytes, ids] = [[], {}, 0, new Set()];
    await inFlight;
    inFlight = write(items, extension);
    inFlight.catch(() => undefined); // thrown where it is awaited, by the next batch or flush
  };
  const add = async (item: Item, size: number): Promise<void> => {
    // Operations on the same document go into different batches, so that retries keep their order.
    if (ids.has(item.operation.id)) await send();
    batch.push(item);
    ids.add(item.operation.id);
    bytes += size;
    if (batch.length >= maxOperations || bytes >= maxBytes) await send();
  };

  return {
    addDocument: (record, id) => {
      const typed = record.rounded ?? record.document;
      const { reason, extended, grown } = grownMapping(properties, typed, target);
      if (reason !== null)
        return refuse({ line: record.line, file: record.file, id, reason, document: record.document });
      properties = extended;
      if (grown !== null) added = mergeProperties(added, grown);
      const operation = { kind: 'upsert' as const, id, document: withoutKeyField(record.document) };
      return add({ line: record.line, file: record.file, operation }, record.bytes);
    },
    addDelete: (record) =>
      add({ line: record.line, file: record.file, operation: { kind: 'delete', id: record.id } }, 0),
    flush: async () => {
      if (batch.length > 0) await send();
      await inFlight;
    },
    counts: () => ({ ...counts }),
    properties: () => properties,
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
    case 'deleted':
      counts[outcome.status] += 1;
      return;
    case 'notFound':
      counts.absent += 1;
      return;
    case 'refused': {
      const document = operation.kind === 'upsert' ? operation.document : null;
      await refuse({ line, file, id: operation.id, reason: outcome.reason, document });
    }
  }
};

/**
 * Properties with the fields of a document that they do not have, if unmapped fields are added.
 * @returns the fields added, null if none; `reason` if no catalogue could serve the index with them
 */
export const grownMapping = (
  properties: JsonObject,
  document: JsonObject,
  { dynamic, properties: settled }: Pick<IndexTarget, 'dynamic' | 'properties'>,
): { readonly extended: JsonObject; readonly grown: JsonObject | null; readonly reason: string | null } => {
  const grown = !dynamic || mappingCovers(properties, document) ? null : growth(properties, document);
  if (grown === null) return { extended: properties, grown, reason: null };
  const extended = mergeProperties(properties, grown);
  const found = fieldCollision(extended, settled);
  const reason = found === null ? null : `${collisionText(found)}: rename one of them`;
  return { extended, grown, reason };
};
