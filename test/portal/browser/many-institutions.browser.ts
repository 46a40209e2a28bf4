import test from 'ava';
import { startSample, type RunningServer } from './server.ts';
import { closeBrowser, eventually, openWindow } from './window.ts';

let server: RunningServer;
test.before(async () => {
  server = await startSample();
});
test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

const nodes = Array.from({ length: 1_000 }, (_, place) => ({
  nodeId: `n${place}`,
  name: `Hospital ${place}`,
  kind: 'remote',
  state: place % 100 === 99 ? 'failing' : 'ok',
  since: '2026-01-01T00:00:00.000Z',
  lastError: null,
  lastAnswer: null,
  requests: place,
  failures: 0,
  latencyMs: null,
  warnings: [],
}));
const fields = Array.from({ length: 120 }, (_, place) => ({
  path: `field_${place}`,
  type: 'keyword',
  nodes: [],
  counts: { covered: 900, missing: 80, conflict: 0, unknown: 20 },
}));
const body = { name: 'Many', ready: true, partial: false, summarised: true, nodes, fields, warnings: [] };

test('with a thousand institutions the page counts states, shows some, and finds others by name', async (t) => {
  const { page } = await openWindow(t, `${server.url}/docs`);
  await page.route(
    ({ pathname }) => pathname === '/network',
    (route) =>
      route.request().resourceType() === 'document' ? route.continue() : route.fulfill({ json: body }),
  );
  await page.goto(`${server.url}/network`);
  const table = page.getByRole('region', { name: 'Institutions' });
  await table.getByRole('row').nth(1).waitFor();
  await eventually(t, () => page.getByText('990 answering · 10 last request failed').isVisible(), true);
  await eventually(t, () => table.getByRole('row').count(), 51);
  await eventually(t, () => table.getByRole('row').nth(1).textContent(), /Hospital 99/);
  await page.getByRole('button', { name: '950 more' }).click();
  await eventually(t, () => table.getByRole('row').count(), 101);
  await page.getByRole('searchbox', { name: 'Find an institution' }).fill('hospital 77');
  await table.getByText('Hospital 777').waitFor();
  // itself, and 770 to 779
  await eventually(t, () => table.getByRole('row').count(), 12);
  await page.getByText('For administrators').click();
  const matrix = page.getByRole('region', { name: 'Field mappings' });
  await eventually(t, () => matrix.getByRole('columnheader').count(), 6);
  await eventually(t, () => matrix.getByRole('row').count(), 121);
  await eventually(t, () => matrix.getByRole('row').nth(1).getByRole('cell').allTextContents(), [
    '900',
    '0',
    '80',
    '20',
    '',
  ]);
});
