import test from 'ava';
import { hitPages, filePlan } from '../../../src/local/download/file-plan.ts';
import { parseDownload } from '../../../src/local/download/parse-download.ts';
import { contextWith } from '../catalogue-fixture.ts';
import { library } from './download-fixture.ts';

const pagesOf = async (limit: number | null, pageSize: number) => {
  const catalogue = library();
  const [file] = parseDownload({ files: [{ columns: [{ fieldName: 'title' }] }] }).files;
  const plan = { ...filePlan(file!, catalogue), limit };
  const pages: string[][] = [];
  for await (const hits of hitPages(plan, catalogue.search, contextWith(), pageSize))
    pages.push(hits.map(({ id }) => id));
  return { pages, sizes: catalogue.requested.map(({ hits }) => hits!.first) };
};

test('pages go on by cursor until one is short', async (t) => {
  t.deepEqual(await pagesOf(null, 3), { pages: [['b1', 'b2', 'b3'], ['b4']], sizes: [3, 3] });
  t.deepEqual((await pagesOf(null, 2)).pages, [
    ['b1', 'b2'],
    ['b3', 'b4'],
  ]);
});

test('a limit ends them, and no more is requested than it leaves', async (t) => {
  t.deepEqual(await pagesOf(3, 2), { pages: [['b1', 'b2'], ['b3']], sizes: [2, 1] });
  t.deepEqual(await pagesOf(2, 2), { pages: [['b1', 'b2']], sizes: [2] });
});

test('a page is requested when the one before has been taken', async (t) => {
  const catalogue = library();
  const [file] = parseDownload({ files: [{ columns: [{ fieldName: 'title' }] }] }).files;
  const pages = hitPages(filePlan(file!, catalogue), catalogue.search, contextWith(), 1);
  await pages.next();
  t.is(catalogue.requested.length, 1);
  await pages.return(undefined);
  t.is(catalogue.requested.length, 1);
});
