import { createServer } from 'node:http';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../../cli/temporary-configs.ts';
import { runHere } from '../../cli/run-here.ts';
import { hashOf } from '../../../portal/src/state/link.ts';
import { png } from '../../images/image-host.ts';
import { listen } from '../../listening.ts';
import { startNetwork, startSite, type RunningServer } from './server.ts';
import { choose, closeBrowser, eventually, expectAccessible, openWindow, totalOf } from './window.ts';

// the third one is not a picture
const pictures = await listen(
  createServer(({ url }, response) => void response.end(url === '/2' ? '<svg/>' : png(90, 60))),
);

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
  ...(at < 3 && { picture: `${pictures.url}/${at}` }),
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
    IMAGE_HOSTS: pictures.url,
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
  await pictures.stop();
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
  t.is(lines[0], 'Donor\tSex\tHLA\tSpecimens');
  t.true(lines.includes('1\ta man\tHLA-A*02:01\t2'), lines.join('\n'));
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
  await chart.getByRole('button', { name: 'As a table' }).click();
  const rows = (): Promise<readonly string[]> => chart.locator('tbody tr').allTextContents();
  await eventually(t, rows, ['First floor33', 'First floor22', 'Second22']);
  const titles = ['2', '3', '6'].map((id) => `Portrait of ${id}`);
  const filters = [{ op: 'in' as const, content: { fieldName: 'title', value: titles } }];
  await page.evaluate((hash) => (location.hash = hash), hashOf({ ...view, filters }));
  await eventually(t, () => totalOf(page), '3');
  await eventually(t, rows, ['Second22', 'First floor11']);
});

test('pictures: a gallery, thumbnails, on the record and the start page, all from the own origin', async (t) => {
  const view = { columns: ['title', 'picture'] };
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`, { bypassCSP: true });
  await totalOf(page);
  await page.getByRole('grid').getByRole('img', { name: 'Portrait of 1' }).waitFor();
  await page.getByRole('tab', { name: 'Gallery' }).click();
  await page.locator('.gallery img.picture').nth(1).waitFor();
  await page.locator('.gallery .picture.none').nth(4).waitFor();
  await eventually(t, () => page.locator('.gallery > li').count(), 7);
  await expectAccessible(t, page, 'the gallery');
  await page.getByRole('link', { name: 'Portrait of 3' }).click();
  await page.getByText('The picture cannot be shown').click();
  await page.getByText('not a whole JPEG, PNG or WebP picture').waitFor();
  await expectAccessible(t, page, 'a record with a picture');
  const link = page.getByRole('link', { name: 'Portrait of 3', exact: true });
  await eventually(t, () => link.getAttribute('href'), 'https://example.org/of?title=Portrait%20of%203');
  await eventually(t, () => link.getAttribute('rel'), 'noopener noreferrer');
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.getByRole('region', { name: 'Gallery' }).getByRole('img', { name: 'Portrait of 2' }).waitFor();
  await eventually(
    t,
    () => page.getByRole('region', { name: 'Gallery' }).getByRole('link').filter({ visible: true }).count(),
    2,
  );
});

test('pictures in a portal on another host come from its server, and from nobody else', async (t) => {
  const site = await startSite(server.url);
  t.teardown(site.stop);
  const { page } = await openWindow(t, `${site.url}/`, {}, [server.url]);
  const thumbs = page.getByRole('region', { name: 'Gallery' });
  await thumbs.getByRole('img', { name: 'Portrait of 2' }).waitFor();
  await page.goto(`${site.url}/explore.html${hashOf({ tab: 'gallery' })}`);
  await page.locator('.gallery img.picture').nth(1).waitFor();
  await page.locator('.gallery .picture.none').nth(4).waitFor();
  await page.getByRole('link', { name: 'Portrait of 1' }).click();
  await page.locator('article.record img.picture').first().waitFor();
  const isDrawn = () =>
    page.locator('article.record img.picture').evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await eventually(t, isDrawn, 90);
});

test('a page of another host may send its token with a request for a picture', async (t) => {
  const answer = await fetch(`${server.url}/donors/images/1/picture/0`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://portal.example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  t.is(answer.status, 204);
  t.regex(answer.headers.get('access-control-allow-origin') ?? '', /^(\*|https:\/\/portal\.example\.org)$/);
  t.regex(answer.headers.get('access-control-allow-headers') ?? '', /authorization/i);
});
