import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIndexing } from '../end-to-end/indexing-process.ts';
import { analysisOf, startStudyServer } from '../repositories/study-server.ts';

/** The repository that is configured. */
export const repositoryCode = 'archive';
export const token = 'a-token-for-this-test';

export interface Stage {
  /** The address of a service that requires no token. */
  readonly openUrl: string;
  readonly closedUrl: string;
  readonly close: () => Promise<void>;
}

/** Two nodes over one study-based repository, each with the embedded engine and its own data. */
export const openStage = async (): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-schemathesis-'));
  const letters = Array.from({ length: 30 }, (_, at) =>
    analysisOf(at % 2 === 0 ? 'kin' : 'trade', `letter-${at}`, { pages: at }),
  );
  const repository = await startStudyServer(letters);
  writeFileSync(
    join(folder, 'repositories.json'),
    JSON.stringify({
      repositories: [
        { kind: 'study', code: repositoryCode, baseUrl: repository.url, indexName: 'letters', pageSize: 10 },
      ],
    }),
  );
  mkdirSync(join(folder, 'configs'));
  writeFileSync(
    join(folder, 'configs/base.json'),
    JSON.stringify({ documentType: 'letter', esIndex: 'letters' }),
  );
  const settings = {
    REPOSITORIES_PATH: join(folder, 'repositories.json'),
    CONFIGS_PATH: join(folder, 'configs'),
    LOG_LEVEL: 'error',
  };
  const open = await startIndexing('start', { ...settings, DATA_PATH: join(folder, 'open') });
  const closed = await startIndexing('start', {
    ...settings,
    DATA_PATH: join(folder, 'closed'),
    INDEXING_TOKEN: token,
  });
  return {
    openUrl: open.indexingUrl,
    closedUrl: closed.indexingUrl,
    close: async () => {
      await Promise.all([open.stop(), closed.stop(), repository.close()]);
      for (const { output } of [open, closed])
        for (const line of output().split('\n'))
          if (line.includes('indexing request failed')) console.log(line);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
