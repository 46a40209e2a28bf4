import { parentPort } from 'node:worker_threads';
import type { Columns } from './columns.ts';
import { DocumentCache } from './document-cache.ts';
import { errorMessage } from './error-message.ts';
import type { ReaderRequest, ReplyMessage, RequestMessage, SearchReply, SearchRequest } from './messages.ts';
import { searchReply } from './search-reply.ts';
import { attachedColumns, type SharedColumns } from './shared-columns.ts';
import { DocumentGone, DocumentStore } from './store.ts';

// A thread that only searches, over columns that the engine's own thread shares with it.

interface Attached {
  readonly token: string;
  readonly columns: Columns;
  readonly store: DocumentStore;
  readonly documents: DocumentCache;
}

const port = parentPort!;
const attached = new Map<string, Attached>();

port.on('message', ({ id, request }: RequestMessage<ReaderRequest>) => {
  port.postMessage(reply(id, request));
  if (request.kind === 'close') port.close();
});

const reply = (id: number, request: ReaderRequest): ReplyMessage => {
  try {
    return { id, ok: true, value: answer(request) };
  } catch (error) {
    return {
      id,
      ok: false,
      error: errorMessage(error, 'index' in request ? `index ${request.index}` : 'the data folder'),
    };
  }
};

const answer = (request: ReaderRequest): unknown => {
  switch (request.kind) {
    case 'attach':
      return attach(request.index, request.columns);
    case 'search': {
      const known = attached.get(request.index);
      return known === undefined ? null : searchUnlessGone(known, request);
    }
    case 'forget':
    case 'close':
      return forgetAll();
  }
};

const attach = (index: string, shared: SharedColumns): void => {
  attached.get(index)?.store.close();
  attached.delete(index);
  const store = new DocumentStore(shared.storePath);
  const { token } = shared;
  attached.set(index, {
    token,
    columns: attachedColumns(shared),
    store,
    documents: new DocumentCache(store),
  });
};

const searchUnlessGone = (
  { token, columns, documents }: Attached,
  { query, taken }: SearchRequest,
): SearchReply | null => {
  try {
    return searchReply(columns, token, documents, query, taken);
  } catch (error) {
    // replaced meanwhile: the owner knows the new one
    if (error instanceof DocumentGone) return null;
    throw error;
  }
};

const forgetAll = (): void => {
  for (const { store } of attached.values()) store.close();
  attached.clear();
};
