import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { runHere } from '../../cli/run-here.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import type { Settings } from './processes.ts';

/**
 * A catalogue of books, loaded: its folder, and the settings of a server over it. Both go with the test.
 * @param books lines of NDJSON
 * @param files more of the folder, such as nodes.json
 */
export const loadedBooks = async (
  t: Pick<ExecutionContext, 'teardown'>,
  books = '{"id":"b1","title":"Atlas"}\n',
  files: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly folder: string; readonly settings: Settings }> => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'books.ndjson': books,
    ...files,
  });
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'nodes.json' in files ? join(folder, 'nodes.json') : 'off',
  };
  const { code, output } = await runHere(
    ['load', join(folder, 'books.ndjson'), '--index', 'books', '--id-field', 'id'],
    settings,
  );
  if (code !== 0) throw new Error(output);
  return { folder, settings };
};
