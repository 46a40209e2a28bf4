import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions } from 'playwright-core';
import { temporaryFolder } from '../../cli/temporary-configs.ts';
import { runHere } from '../../cli/run-here.ts';
import { hashOf } from '../../../portal/src/state/link.ts';
import { png } from './png.ts';
import { startNetwork, startSite, type RunningServer } from './server.ts';
import {
  choose,
  chooseIn,
  closeBrowser,
  eventually,
  expectAccessible,
  openWindow,
  totalOf,
} from './window.ts';

const host = 'pictures.example.org';
/** The third is not there, the fourth on a host that is not listed. */
const pictures = [`http://${host}/0`, `https://${host}/1`, `https://${host}/2`, 'https://else.example.net/3'];

const records = [
  { id: '1', sex: 'M', hla: 'HLA-A*02:01', specimens: [{ tissue: 'liver' }, { tissue: 'blood' }] },
  { id: '2', sex: 'F', hla: 'HLA-A*02:01', specimens: [{ tissue: 'skin' }] },
  { id: '3', sex: 'F', hla: 'HLA-A*24:02:01', specimens: [] },
  { id: '4', sex: 'F', hla: 'HLA-A*02:*', specimens: [] },
  { id: '5', sex: 'M', hla: 'b', specimens: [] },
  { id: '6', sex: 'M', hla: 'set_id:7', specimens: [] },
  { id: '7', sex: 'M', specimens: [] },
].map((record, at) => ({
  ...record,
  title: `Portrait of ${record.id}`,
  room: 'abc'[at % 3],
  ...(at in pictures && { picture: pictures[at] }),
}));

const folder = temporaryFolder({
  'records.ndjson': records.map((record) => JSON.stringify(record)).join('\n'),
  'mapping.json': {
    properties: {
      id: { type: 'keyword' },
      sex: { type: 'keyword' },
      title: { type: 'keyword' },
      room: { type: 'keyword' },
      picture: { type: 'keyword' },
      hla: { type: 'keyword' },
      specimens: { type: 'nested', properties: { tissue: { type: 'keyword' } } },
    },
  },
  'configs/donors/base.json': { documentType: 'donor', esIndex: 'donors' },
  'configs/donors/extended.json': [
    { fieldName: 'sex', displayName: 'Sex', displayValues: { M: 'Male', F: 'Female' } },
    { fieldName: 'hla', displayName: 'HLA' },
    {
      fieldName: 'room',
      displayName: 'Room',
      displayValues: { a: 'First floor', b: 'First floor', c: 'Second' },
    },
    { fieldName: 'title', link: 'https://example.org/of?title={value}' },
    { fieldName: 'picture', image: true },
  ],
  'configs/donors/facets.json': [
    { fieldName: 'sex', isActive: true, show: true },
    { fieldName: 'hla', isActive: true, show: true },
  ],
  'configs/donors/table.json': {
    rowIdFieldName: 'id',
    defaultSorting: [{ fieldName: 'id' }],
    columns: [
      { fieldName: 'id', displayName: 'Donor', show: true, sortable: true },
      { fieldName: 'sex', show: true, displayValues: { M: 'a man', F: 'a woman' } },
      { fieldName: 'hla', show: true },
      {
        fieldName: 'count',
        displayName: 'Specimens',
        query: 'specimens { hits { total } }',
        jsonPath: '$.specimens.hits.total',
        show: true,
      },
    ],
  },
});

let server: RunningServer;

test.before(async () => {
  const settings = {
    ...{ CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data') },
    IMAGE_HOSTS: host,
  };
  const load = [
    'load',
    join(folder, 'records.ndjson'),
    '--catalogue',
    'donors',
    '--mapping',
    join(folder, 'mapping.json'),
  ];
  const { code, output } = await runHere([...load, '--id-field', 'id'], { ...settings, NODES_PATH: 'off' });
  if (code !== 0) throw new Error(output);
  server = await startNetwork('off', settings);
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('columns of the owners show what they select, by the labels of their values, in the file too', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.getByRole('region', { name: 'Sex', exact: true }).getByText('Female').waitFor();
  const first = page.getByRole('row').nth(1);
  await first.getByText('a man').waitFor();
  const cells = first.getByRole('gridcell').or(first.getByRole('rowheader'));
  await eventually(t, () => cells.allTextContents(), ['1', 'a man', 'HLA-A*02:01', '2']);
  await eventually(t, () => page.getByRole('columnheader', { name: 'Specimens' }).isVisible(), true);
  await page.getByRole('button', { name: 'Download 7 rows' }).click();
  const dialog = page.getByRole('dialog');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8').split('\n');
  t.is(lines[0], 'Donor\tSex\tSex (label)\tHLA\tSpecimens');
  t.true(lines.includes('1\tM\ta man\tHLA-A*02:01\t2'), lines.join('\n'));
});

for (const [value, total] of [
  ['HLA-A*02:01', '2'],
  ['HLA-A*02:*', '1'],
  ['set_id:7', '1'],
] as const)
  test(`a click on ${value} finds that value and no other`, async (t) => {
    const { page } = await openWindow(t, `${server.url}/explore`);
    await totalOf(page);
    await choose(page, 'HLA', value);
    await page.locator('.chip').waitFor();
    await eventually(t, () => totalOf(page), total);
  });

test('the table of a chart has no row too many where values read alike', async (t) => {
  const view = { tab: 'charts' as const, charts: ['room'] };
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`);
  await totalOf(page);
  const chart = page.getByRole('article', { name: 'Room' });
  await chooseIn(page, chart, 'Show as table');
  const rows = (): Promise<readonly string[]> => chart.locator('tbody tr').allTextContents();
  await eventually(t, rows, ['First floor33', 'First floor22', 'Second22']);
  const titles = ['2', '3', '6'].map((id) => `Portrait of ${id}`);
  const filters = [{ op: 'in' as const, content: { fieldName: 'title', value: titles } }];
  await page.evaluate((hash) => (location.hash = hash), hashOf({ ...view, filters }));
  await eventually(t, () => totalOf(page), '3');
  await eventually(t, rows, ['Second22', 'First floor11']);
});

/** A window in which the listed host answers; what is requested there is noted. */
const openPictured = async (t: ExecutionContext, url: string, options: BrowserContextOptions = {}) => {
  const { page } = await openWindow(t, `${new URL(url).origin}/portal/config.json`, options, [
    `https://${host}`,
    server.url,
  ]);
  const requested: { readonly path: string; readonly referrer: string | undefined }[] = [];
  await page.route(`https://${host}/**`, (route) => {
    const { pathname: path } = new URL(route.request().url());
    requested.push({ path, referrer: route.request().headers()['referer'] });
    return route.fulfill(path === '/2' ? { status: 404 } : { contentType: 'image/png', body: png(90, 60) });
  });
  await page.goto(url);
  return { page, requested };
};

test('pictures: a gallery, thumbnails, on the record and the start page, from their host and without referrer', async (t) => {
  const view = { columns: ['title', 'picture'] };
  const { page, requested } = await openPictured(t, `${server.url}/explore${hashOf(view)}`);
  await totalOf(page);
  const thumb = page.getByRole('grid').getByRole('img', { name: 'Portrait of 1' });
  await eventually(t, () => thumb.evaluate((image) => (image as HTMLImageElement).naturalWidth), 90);
  const attributes = ['src', 'referrerpolicy', 'loading', 'decoding'];
  t.deepEqual(
    await thumb.evaluate((image, names) => names.map((name) => image.getAttribute(name)), attributes),
    [`https://${host}/0`, 'no-referrer', 'lazy', 'async'],
  );
  // as any other value
  for (const address of pictures.slice(2)) await page.getByRole('grid').getByText(address).waitFor();
  await page.getByRole('tab', { name: 'Gallery' }).click();
  await eventually(t, () => page.locator('.gallery img.picture').count(), 2);
  await eventually(t, () => page.locator('.gallery > li').count(), 6);
  await eventually(t, () => page.locator('.gallery .picture.none').count(), 4);
  await page.getByRole('link', { name: 'Portrait of 1' }).click();
  const large = page.locator('article.record img.picture');
  await eventually(t, () => large.evaluate((image) => (image as HTMLImageElement).naturalWidth), 90);
  t.is(await page.locator('article.record dl').getByText('pictures.example.org').count(), 0);
  await page.goBack();
  await page.getByRole('link', { name: 'Portrait of 4' }).click();
  const plain = page.locator('article.record dl').getByRole('link', { name: 'else.example.net/3' });
  t.is(await plain.getAttribute('href'), pictures[3]!);
  t.is(await large.count(), 0);
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  const gallery = page.getByRole('region', { name: 'Gallery' });
  await gallery.getByRole('img', { name: 'Portrait of 2' }).waitFor();
  await eventually(t, () => gallery.getByRole('listitem').count(), 2);
  t.deepEqual(new Set(requested.map(({ path }) => path)), new Set(['/0', '/1', '/2']));
  t.true(requested.every(({ referrer }) => referrer === undefined));
});

test('a broken picture leaves no hole, and pages of pictures are accessible', async (t) => {
  const view = { tab: 'gallery' as const };
  const { page } = await openPictured(t, `${server.url}/explore${hashOf(view)}`, { bypassCSP: true });
  await eventually(t, () => page.locator('.gallery > li').count(), 6);
  t.is(await page.getByRole('link', { name: 'Portrait of 3' }).count(), 0);
  await expectAccessible(t, page, 'the gallery');
  const record = { id: '3', nodeId: null };
  await page.goto(`${server.url}/record${hashOf({ record })}`);
  await page
    .getByRole('heading', { name: 'Portrait of 3' })
    .or(page.getByRole('heading', { name: '3' }))
    .first()
    .waitFor();
  await eventually(t, () => page.locator('article.record img').count(), 0);
  t.is(await page.getByRole('region', { name: 'Gallery' }).count(), 0);
  const link = page.getByRole('link', { name: 'Portrait of 3', exact: true });
  await eventually(t, () => link.getAttribute('href'), 'https://example.org/of?title=Portrait%20of%203');
  await eventually(t, () => link.getAttribute('rel'), 'noopener noreferrer');
  await page.goto(`${server.url}/record${hashOf({ record: { ...record, id: '1' } })}`);
  await page.locator('article.record img.picture').waitFor();
  await expectAccessible(t, page, 'a record with a picture');
});

test('a static site shows pictures of the hosts that it was built with, and none without', async (t) => {
  const site = await startSite(server.url, { IMAGE_HOSTS: host });
  t.teardown(site.stop);
  const { page, requested } = await openPictured(t, `${site.url}/`);
  const thumbs = page.getByRole('region', { name: 'Gallery' });
  await thumbs.getByRole('img', { name: 'Portrait of 2' }).waitFor();
  await page.goto(`${site.url}/explore.html${hashOf({ tab: 'gallery' })}`);
  await eventually(t, () => page.locator('.gallery img.picture').count(), 2);
  const before = requested.length;
  const plain = await startSite(server.url);
  t.teardown(plain.stop);
  const { page: bare, requested: none } = await openPictured(
    t,
    `${plain.url}/explore.html${hashOf({ columns: ['title', 'picture'] })}`,
  );
  await bare.getByRole('grid').getByText(pictures[0]!).waitFor();
  t.is(await bare.getByRole('tab', { name: 'Gallery' }).count(), 0);
  t.deepEqual([none.length, requested.length], [0, before]);
});
