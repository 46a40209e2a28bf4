import type { Address, Answered, RepositoryServer } from './repository-server.ts';
import { serveRepository } from './repository-server.ts';

/** What such a repository reports of one submission; the fields of its type stand beside these. */
export interface Analysis {
  readonly analysisId: string;
  readonly studyId: string;
  readonly analysisState: string;
  readonly [field: string]: unknown;
}

export interface StudyServer extends RepositoryServer {
  /** In the order of its rows. Take out, put in and replace as the test needs. */
  readonly analyses: Analysis[];
  /** Studies without analyses too. */
  readonly studies: Set<string>;
  /** Ids of analyses that count as rows and in the total, and that a join leaves out of the page. */
  readonly vanished: Set<string>;
  readonly quirks: StudyQuirks;
}

export interface StudyQuirks {
  /** Added to every total. */
  totalOff: number;
  /** Answers every offset as if it was 0. */
  ignoresOffset: boolean;
  /** Delivers analyses of every state, whatever was requested. */
  ignoresStates: boolean;
  /** A study it does not have is an empty one. */
  unknownStudyIsEmpty: boolean;
}

/** A study-based (SONG) repository in memory. */
export const startStudyServer = async (
  analyses: readonly Analysis[],
  address: Address = {},
): Promise<StudyServer> => {
  const state = {
    analyses: [...analyses],
    studies: new Set(analyses.map(({ studyId }) => studyId)),
    vanished: new Set<string>(),
    quirks: { totalOff: 0, ignoresOffset: false, ignoresStates: false, unknownStudyIsEmpty: false },
  };
  const server = await serveRepository(
    {
      answer: (path, query) => answer(state, path, query),
      quirks: state.quirks,
      change: (recordId, members) => {
        const row = state.analyses.findIndex(({ analysisId }) => analysisId === recordId);
        if (row >= 0)
          state.analyses.splice(row, 1, ...(members ? [{ ...state.analyses[row]!, ...members }] : []));
        return row >= 0;
      },
    },
    address,
  );
  return { ...server, ...state };
};

/** A document as the content of a published analysis with one file. */
export const analysisOf = (studyId: string, analysisId: string, content: object): Analysis => ({
  ...content,
  analysisId,
  studyId,
  analysisState: 'PUBLISHED',
  analysisType: { name: 'object', version: 1 },
  files: [
    {
      objectId: `file-of-${analysisId}`,
      fileName: `${analysisId}.json`,
      fileSize: 1024,
      fileType: 'JSON',
      fileMd5sum: 'd41d8cd98f00b204e9800998ecf8427e',
      fileAccess: 'open',
      dataType: 'description',
    },
  ],
  createdAt: '2024-01-01T00:00:00',
  updatedAt: '2024-01-02T00:00:00',
  publishedAt: '2024-01-03T00:00:00',
});

type State = Pick<StudyServer, 'analyses' | 'studies' | 'vanished' | 'quirks'>;

const answer = (state: State, path: readonly string[], query: URLSearchParams): Answered | undefined => {
  const [root, studyId = '', kind, analysisId = ''] = path;
  if (root !== 'studies') return undefined;
  if (path.length === 2 && studyId === 'all') return { status: 200, body: [...state.studies] };
  if (path.length !== 4 || kind !== 'analysis') return undefined;
  const isKnown = state.studies.has(studyId);
  if (!isKnown && !state.quirks.unknownStudyIsEmpty)
    return notFound('study.id.does.not.exist', `The studyId '${studyId}' does not exist`);
  if (analysisId === 'paginated') return page(state, studyId, query);
  const found = state.analyses.find((one) => one.analysisId === analysisId && one.studyId === studyId);
  return found === undefined
    ? notFound('analysis.id.not.found', `The analysisId '${analysisId}' was not found`)
    : { status: 200, body: found };
};

const page = (state: State, studyId: string, query: URLSearchParams): Answered => {
  const states = (query.get('analysisStates') ?? 'PUBLISHED').split(',');
  const limit = Number(query.get('limit') ?? 20);
  const offset = state.quirks.ignoresOffset ? 0 : Number(query.get('offset') ?? 0);
  const rows = state.analyses.filter(
    (one) => one.studyId === studyId && (state.quirks.ignoresStates || states.includes(one.analysisState)),
  );
  const analyses = rows
    .slice(offset, offset + limit)
    .filter(({ analysisId }) => !state.vanished.has(analysisId));
  const totalAnalyses = rows.length + state.quirks.totalOff;
  return {
    status: 200,
    body: { analyses, totalAnalyses, currentTotalAnalyses: analyses.length },
    isPage: true,
  };
};

const notFound = (errorId: string, text: string): Answered => ({
  status: 404,
  body: {
    errorId,
    httpStatusName: 'NOT_FOUND',
    httpStatusCode: 404,
    message: `[Service::${errorId}] - ${text}`,
    timestamp: 1_700_000_000_000,
  },
});
