import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { postQuery, startNode, type Settings } from '../../whole/end-to-end/processes.ts';
import { runHere } from '../run-here.ts';

const books = Array.from({ length: 3_000 }, (_, n) => JSON.stringify({ id: `b${n}`, n, shelf: n % 3 }));

/** A catalogue of 3 000 books. */
const library = async (t: ExecutionContext): Promise<{ settings: Settings; folder: string }> => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'books.ndjson': books.join('\n'),
  });
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
    INDEXING_PORT: 'off',
  };
  const { code, output } = await runHere(
    ['load', join(folder, 'books.ndjson'), '--catalogue', 'books'],
    settings,
  );
  t.is(code, 0, output);
  return { settings, folder };
};

const filter = (fieldName: string, value: unknown) =>
  JSON.stringify({ op: 'in', content: { fieldName, value } });

const remaining = '{ book { hits { total } } }';

test('documents are deleted by a filter and by their keys, and a running server sees it', async (t) => {
  const { settings, folder } = await library(t);
  const node = await startNode(settings);
  try {
    const byFilter = await runHere(
      ['index', 'remove', '--catalogue', 'BOOKS', '--filter', filter('shelf', 1), '--yes'],
      settings,
    );
    t.deepEqual(byFilter, { code: 0, output: 'deleted 1 000 documents of books\n' });
    const keys = temporaryFolder(t, { keys: 'b0\r\n\nb1\nb2\nnobody\nb0\n' });
    const byKeys = await runHere(
      ['index', 'remove', '--catalogue', 'books', '--ids', join(keys, 'keys'), '-y'],
      settings,
    );
    t.is(byKeys.code, 0);
    t.is(
      byKeys.output.split('\n').sort().join('|'),
      '|2 of the 4 keys match no document|deleted 2 documents of books',
    );
    let total: unknown;
    for (let tries = 0; tries < 10_000 && total !== 1_998; tries++)
      total = (
        (await postQuery(`${node.url}/graphql`, remaining)).data as { book: { hits: { total: number } } }
      ).book.hits.total;
    t.is(total, 1_998);
    t.regex((await runHere(['index', 'list'], settings)).output, /books +1 998 /);
  } finally {
    await node.stop();
  }
  t.truthy(folder);
});

test('without a terminal and without --yes nothing is deleted', async (t) => {
  const { settings } = await library(t);
  const { code, output } = await runHere(
    ['index', 'remove', '--catalogue', 'books', '--filter', filter('shelf', [1])],
    settings,
  );
  t.is(code, 1);
  t.is(
    output,
    'tributary index remove: this would delete 1 000 of the 3 000 documents of books: there is no terminal to ask, so give --yes to delete them\n',
  );
  for (const [text, message] of [
    [filter('shelv', 1), /expected a field of this catalogue/],
    ['{"op":"and","content":[]}', /the filter matches every document/],
    ['{}', /./],
    ['null', /the filter matches every document/],
    ['{', /--filter is not JSON/],
  ] as const) {
    const refused = await runHere(
      ['index', 'remove', '--catalogue', 'books', '--filter', text, '--yes'],
      settings,
    );
    t.is(refused.code, 1, text);
    t.regex(refused.output, message);
  }
  t.regex((await runHere(['index', 'list'], settings)).output, /books +3 000 /);
});

test('a wrong command line deletes nothing', async (t) => {
  for (const argv of [
    [],
    ['--catalogue', 'a'],
    ['--ids', 'x'],
    ['--catalogue', 'a', '--ids', 'x', '--filter', '{}'],
    ['--catalogue', 'a', '--ids', '-'],
    ['--catalogue', 'a', '--filter', '{}', 'more'],
  ])
    t.is((await runHere(['index', 'remove', ...argv], {})).code, 2, argv.join(' '));
});
