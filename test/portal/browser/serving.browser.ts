import test from 'ava';
import { startSample, type RunningServer } from './server.ts';
import { choose, closeBrowser, openWindow, totalOf } from './window.ts';

let server: RunningServer;

test.before(async () => {
  server = await startSample();
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

test('Explore shows the whole sample consortium, within its policy', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  t.is(await totalOf(page), '8,000');
  t.is(await page.locator('.head p').first().textContent(), 'records from all 3 institutions');
});

test('a facet narrows the total as the API does', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await choose(page, 'Primary site', 'Breast');
  await page.waitForFunction(() => document.querySelector('.head .number')?.textContent !== '8,000');
  const shown = await totalOf(page);
  const answer = await fetch(`${server.url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        '{ network(filters: {op: "in", content: {fieldName: "primary_site", value: ["Breast"]}}) { total } }',
    }),
  });
  const { data } = (await answer.json()) as { data: { network: { total: number } } };
  t.is(shown, new Intl.NumberFormat('en-GB').format(data.network.total));
  t.true(data.network.total > 0);
});

test('all of the first load is at most 250 kB in brotli, its largest file 180', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  const asked = new Map<string, string>();
  const firsts = new Map<string, number>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    asked.set(requestId, `${request.url} ${request.postData ?? ''}`),
  );
  // on a busy machine the page has looked again for what it refreshes by the time its counts are there
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const question = asked.get(requestId) ?? requestId;
    firsts.set(question, firsts.get(question) ?? encodedDataLength);
  });
  await page.goto(`${server.url}/explore`);
  await totalOf(page);
  const sizes = [...firsts.values()];
  t.log(`first load: ${sizes.reduce((sum, size) => sum + size, 0)} bytes in ${sizes.length} answers`);
  t.true(sizes.reduce((sum, size) => sum + size, 0) <= 250_000);
  t.true(Math.max(...sizes) <= 180_000);
});
