import { unpacked } from '../columns/shared-parts.ts';
import type { Columns } from '../columns/columns.ts';
import { searchReply } from './answer-search.ts';
import type { IndexIdentity, SearchReply, ReaderRequest, SearchRequest, SharedIndex } from './messages.ts';
import { answerRequests } from './request-loop.ts';
import { incarnationOf } from '../../semantics/incarnation.ts';
import type { SearchRun } from '../columns/search-run.ts';
import { attachedColumns } from '../index/shared-columns.ts';
import { DocumentGone, DocumentStore } from '../store/store.ts';

// A thread that only searches, over columns shared by the engine's own thread.

interface Attached extends IndexIdentity {
  readonly columns: Columns;
  readonly store: DocumentStore;
}

const attached = new Map<string, Attached>();

const answer = (request: ReaderRequest, running: SearchRun): unknown => {
  switch (request.kind) {
    case 'attach':
      return attach(request.index, request.columns);
    case 'search': {
      const known = attached.get(request.index);
      return known === undefined ? null : searchUnlessGone(known, unpacked(request.query), running);
    }
    case 'forget':
    case 'close':
      return forgetAll();
  }
};

const attach = (index: string, shared: SharedIndex): void => {
  attached.get(index)?.store.close();
  attached.delete(index);
  const store = new DocumentStore(shared.storePath);
  const { generation, lastWriteMs, incarnation } = shared;
  // replaced since it was shared: its document numbers now belong to other documents
  if (incarnationOf(store.uid) !== incarnation) return store.close();
  attached.set(index, {
    generation,
    lastWriteMs,
    index: shared.index,
    incarnation,
    columns: attachedColumns(shared),
    store,
  });
};

const searchUnlessGone = (
  { columns, store, ...identity }: Attached,
  query: SearchRequest['query'],
  running: SearchRun,
): SearchReply | null => {
  try {
    return searchReply(columns, identity, store, query, running);
  } catch (error) {
    // replaced in the meantime: the writer has the new one
    if (error instanceof DocumentGone) return null;
    throw error;
  }
};

const forgetAll = (): void => {
  for (const { store } of attached.values()) store.close();
  attached.clear();
};

answerRequests(answer);
