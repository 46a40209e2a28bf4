import type { CursorValue, Engine, Hit, WriteOperation } from '../engines/engine.ts';
import { TributaryError } from '../errors/errors.ts';
import { all } from '../sqon/filter.ts';
import { writeBatch } from './write-batch.ts';

/** The result of one step. */
export interface CopyStep {
  /** Of the last document written. */
  readonly cursor: readonly CursorValue[];
  readonly created: number;
  readonly updated: number;
}

const firstPage = 100;
const maxDocuments = 2_000;
/** Target size of a page, in characters of JSON. */
const pageLength = 4_000_000;
/** Maximum size of a write; servers refuse requests over 100 MB. */
const writeLength = 8_000_000;

/** A hit and the length of its document. */
interface Measured {
  readonly hit: Hit;
  readonly length: number;
}

/**
 * Copies the documents after `cursor` in tie-break order, page by page, reading the next page while one is written; a
 * step is yielded once it is durable. Documents are written under their keys, so copying one twice does no harm.
 * @throws TributaryError INPUT_INVALID naming a document that the target refuses; errors of the engines
 */
export const copyDocuments = async function* (
  source: { readonly engine: Engine; readonly index: string },
  target: { readonly engine: Engine; readonly index: string },
  cursor: readonly CursorValue[] | null,
): AsyncGenerator<CopyStep> {
  let page = await readPage(source, cursor, firstPage);
  while (page.length > 0) {
    const last = page.at(-1)!.hit.cursor;
    const following = readPage(source, last, nextSize(page));
    // awaited below; if the write fails first, its rejection must not be unhandled
    following.catch(() => undefined);
    yield { cursor: last, ...(await writePage(target, page)) };
    page = await following;
  }
};

const readPage = async (
  { engine, index }: { readonly engine: Engine; readonly index: string },
  searchAfter: readonly CursorValue[] | null,
  size: number,
): Promise<readonly Measured[]> => {
  const { hits, warnings } = await engine.search(index, {
    hits: { filter: all, size, offset: 0, sort: [], searchAfter, source: null, trackTotal: false },
    facets: [],
  });
  if (warnings.length > 0)
    throw new TributaryError('ENGINE_ERROR', `${index} cannot be read completely: ${warnings.join('; ')}`);
  return hits!.hits.map((hit) => ({ hit, length: JSON.stringify(hit.source).length }));
};

/** How many documents fit a page, judging by the last one; at most twice as many, as the next ones may be longer. */
const nextSize = (page: readonly Measured[]): number => {
  const average = page.reduce((sum, { length }) => sum + length, 0) / page.length;
  const fitting = Math.max(1, Math.floor(pageLength / Math.max(1, average)));
  return Math.min(fitting, maxDocuments, Math.max(firstPage, page.length * 2));
};

const writePage = async (
  { engine, index }: { readonly engine: Engine; readonly index: string },
  page: readonly Measured[],
): Promise<{ readonly created: number; readonly updated: number }> => {
  let created = 0;
  let updated = 0;
  for (const operations of batches(page)) {
    const outcomes = await writeBatch(engine, index, operations);
    outcomes.forEach((outcome, at) => {
      if (outcome.status === 'refused')
        throw new TributaryError('INPUT_INVALID', `document ${operations[at]!.id} was refused by the target: ${outcome.reason}`); // prettier-ignore
      if (outcome.status === 'created') created += 1;
      else updated += 1;
    });
  }
  return { created, updated };
};

const batches = function* (page: readonly Measured[]): Generator<readonly WriteOperation[]> {
  let batch: WriteOperation[] = [];
  let held = 0;
  for (const { hit, length } of page) {
    if (batch.length > 0 && held + length > writeLength) {
      yield batch;
      [batch, held] = [[], 0];
    }
    batch.push({ kind: 'upsert', id: hit.id, document: hit.source });
    held += length;
  }
  if (batch.length > 0) yield batch;
};
