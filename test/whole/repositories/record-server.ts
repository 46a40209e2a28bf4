import type { Address, Answered, RepositoryServer } from './repository-server.ts';
import { serveRepository } from './repository-server.ts';

/** One submitted record in its envelope. */
export interface SubmittedRecord {
  readonly systemId: string;
  readonly entityName: string;
  readonly organization: string;
  readonly isValid: boolean;
  readonly data: object;
}

export interface RecordServer extends RepositoryServer {
  /** Of the one category, in the order of its pages. Take out, put in and replace as the test needs. */
  readonly records: SubmittedRecord[];
  readonly quirks: RecordQuirks;
}

export interface RecordQuirks {
  /** Added to the number of pages it reports. */
  pagesOff: number;
  /** Added to the number of records it reports. */
  totalOff: number;
  /** Answers every page as if it was the first. */
  ignoresPage: boolean;
  /** A page without records is 200 with an empty list, in place of 404. */
  emptyIsPage: boolean;
  /** What it reports for another category than its own; versions of the original differ. */
  unknownCategory: string;
}

/** A record-based (Lyric) repository with one category, in memory. */
export const startRecordServer = async (
  records: readonly SubmittedRecord[],
  options: Address & { readonly categoryId?: string } = {},
): Promise<RecordServer> => {
  const state = {
    records: [...records],
    categoryId: options.categoryId ?? '1',
    quirks: {
      pagesOff: 0,
      totalOff: 0,
      ignoresPage: false,
      emptyIsPage: false,
      unknownCategory: 'Invalid Category ID',
    },
  };
  const server = await serveRepository(
    {
      answer: (path, query) => answer(state, path, query),
      quirks: state.quirks,
      change: (recordId, members) => {
        const row = state.records.findIndex(({ systemId }) => systemId === recordId);
        if (row >= 0)
          state.records.splice(row, 1, ...(members ? [{ ...state.records[row]!, ...members }] : []));
        return row >= 0;
      },
    },
    options,
  );
  return { ...server, records: state.records, quirks: state.quirks };
};

/** A document as the data of a valid record. */
export const submittedRecordOf = (organization: string, systemId: string, data: object): SubmittedRecord => ({
  systemId,
  entityName: 'object',
  organization,
  isValid: true,
  data,
});

type State = Pick<RecordServer, 'records' | 'quirks'> & { readonly categoryId: string };

const answer = (state: State, path: readonly string[], query: URLSearchParams): Answered | undefined => {
  const [data, category, categoryId = '', by, name = ''] = path;
  if (data !== 'data' || category !== 'category' || (path.length !== 3 && path.length !== 5))
    return undefined;
  if (categoryId !== state.categoryId) return notFound(state.quirks.unknownCategory);
  switch (by) {
    case undefined:
      return page(state, state.records, query, 'No Submitted Data found');
    case 'organization':
      return page(
        state,
        state.records.filter(({ organization }) => organization === name),
        query,
        'No Submitted data found',
      );
    case 'id': {
      const found = state.records.find(({ systemId }) => systemId === name);
      return found === undefined
        ? notFound(`No Submitted data found with systemId '${name}'`)
        : { status: 200, body: found };
    }
    default:
      return undefined;
  }
};

const page = (
  state: State,
  records: readonly SubmittedRecord[],
  query: URLSearchParams,
  noneFound: string,
): Answered => {
  const pageSize = Number(query.get('pageSize') ?? 20);
  const currentPage = Number(query.get('page') ?? 1);
  const start = state.quirks.ignoresPage ? 0 : (currentPage - 1) * pageSize;
  const shown = records.slice(start, start + pageSize);
  if (shown.length === 0 && !state.quirks.emptyIsPage) return { ...notFound(noneFound), isPage: true };
  const pagination = {
    currentPage,
    pageSize,
    totalPages: Math.ceil(records.length / pageSize) + state.quirks.pagesOff,
    totalRecords: records.length + state.quirks.totalOff,
  };
  return { status: 200, body: { pagination, records: shown }, isPage: true };
};

const notFound = (message: string): Answered => ({ status: 404, body: { error: 'Not Found', message } });
