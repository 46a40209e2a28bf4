import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { listen } from '../../listening.ts';
import { startSample } from './server.ts';
import { choose, closeBrowser, eventually, theBrowser, totalOf } from './window.ts';

test.after.always(closeBrowser);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

test('a static site on another host shows the records of its server, within its policy', async (t) => {
  const server = await startSample();
  t.teardown(server.stop);
  const folder = join(mkdtempSync(join(tmpdir(), 'portal-site-')), 'site');
  t.teardown(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  await promisify(execFile)(process.execPath, [
    'src/main.ts',
    'portal',
    'build',
    '--out',
    folder,
    '--api',
    server.url,
  ]);
  const files = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    try {
      const content = readFileSync(join(folder, path === '/' ? 'index.html' : path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/html' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  const site = await listen(files);
  t.teardown(site.stop);
  const page = await (await theBrowser()).newPage();
  page.setDefaultTimeout(180_000);
  const complaints: string[] = [];
  page.on(
    'console',
    (message) => /Content Security Policy|CORS/.test(message.text()) && complaints.push(message.text()),
  );
  await page.goto(`${site.url}/`);
  await page.getByRole('link', { name: 'Explore all records' }).click();
  await eventually(t, () => totalOf(page), '8,000');
  await eventually(t, async () => new URL(page.url()).pathname, '/explore.html');
  await page.reload();
  await eventually(t, () => totalOf(page), '8,000');
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  const total = await totalOf(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save this view to a file' }).click(),
  ]);
  await page.goto(`${site.url}/explore.html?again`);
  await totalOf(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByLabel('Open a saved view').setInputFiles(await file.path());
  await page.locator('.chip').waitFor();
  await eventually(t, () => totalOf(page), total);
  t.deepEqual(complaints, []);
});
