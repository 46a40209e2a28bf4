import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { hashOf } from '../../../portal/src/state/link.ts';
import { audience, clientId, openProvider, type RunningProvider } from './provider.ts';
import { startSample, type RunningServer } from './server.ts';
import { closeBrowser, eventually, openWindow, totalOf } from './window.ts';

let provider: RunningProvider;
let server: RunningServer;
const folder = mkdtempSync(join(tmpdir(), 'portal-sign-in-'));

/** Curators see everything, others who sign in nothing, and without a token there is nothing either. */
test.before(async () => {
  provider = await openProvider();
  const curators = { when: { claim: 'role', includes: ['curator'] }, filter: 'everything' };
  const access = {
    token: { algorithms: ['RS256'], issuer: provider.url, audience, clockToleranceSeconds: 0 },
    catalogues: { '*': { rules: [curators] } },
    network: { rules: [curators] },
  };
  writeFileSync(join(folder, 'access.json'), JSON.stringify(access));
  server = await startSample({
    ACCESS_FILTER_PATH: join(folder, 'access.json'),
    JWKS_URL: `${provider.url}/jwks`,
    PORTAL_OIDC_ISSUER: provider.url,
    PORTAL_OIDC_CLIENT_ID: clientId,
    PORTAL_OIDC_SCOPE: 'openid offline_access',
  });
  provider.admit(`${server.url}/`);
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
  await provider?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (t: ExecutionContext, path: string): Promise<Page> => {
  const { page } = await openWindow(t, server.url + path, {}, [provider.url]);
  return page;
};

/** Fills in the provider's own pages. @param isLasting the session does not end before it was seen */
const signInAs = async (page: Page, name: string, isLasting = true): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('form:not(:has(input[name=login])) button[type=submit]').click();
  if (isLasting) await page.getByText(`Signed in as Dr ${name}`).waitFor();
  else await page.waitForURL((url) => url.origin === server.url && !url.searchParams.has('code'));
};

test('a visitor who is not signed in sees that, signs in, finds the page as it was, downloads, and signs out', async (t) => {
  const requests: string[] = [];
  const page = await open(t, '/ping');
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${server.url}/explore`);
  await page.getByText('Sign in to see this.').waitFor();
  t.deepEqual(
    requests.filter((url) => url.includes('code-flow') || url.startsWith(provider.url)),
    [],
    'nothing of the sign-in is loaded before somebody signs in',
  );
  const address = page.url();
  await signInAs(page, 'curator');
  await eventually(t, () => totalOf(page), '8,000');
  await eventually(t, async () => page.url(), address);
  await eventually(
    t,
    () => page.evaluate(() => JSON.stringify([Object.keys(sessionStorage), document.cookie])),
    // where Explore was left
    '[["tributary.explored"],""]',
    'nothing of the session is kept outside the memory',
  );
  await page.getByRole('button', { name: 'Download 8,000 rows' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  await dialog.getByText('Check your downloads').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out' }).click();
  // the provider asks for consent once more
  await page.locator('button[value=yes]').click();
  await page.waitForURL(`${server.url}/`);
  await page.goto(`${server.url}/explore`);
  await page.getByText('Sign in to see this.').waitFor();
  t.is(await page.getByRole('button', { name: 'Sign out' }).count(), 0);
});

test('a visitor without any rights sees who they are signed in as', async (t) => {
  const page = await open(t, '/explore');
  await signInAs(page, 'visitor');
  await page.getByText('Dr visitor does not have access.').waitFor();
  await eventually(t, () => page.getByRole('button', { name: 'Sign out' }).count(), 1);
});

test('a cancelled sign-in is reported, and can be tried again', async (t) => {
  const page = await open(t, '/explore');
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('Sign-in failed.').waitFor();
  await eventually(t, () => page.getByText('End-User aborted interaction').count(), 1);
  await eventually(t, async () => page.url(), `${server.url}/explore`);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.locator('input[name=login]').waitFor();
});

test('an answer that this tab did not request signs no one in', async (t) => {
  const page = await open(t, '/?code=stolen&state=guessed');
  await page.getByText('Sign-in failed.').waitFor();
  t.is(await page.getByRole('button', { name: 'Sign out' }).count(), 0);
  await eventually(t, async () => page.url(), `${server.url}/`);
});

test('a token is renewed while people work', async (t) => {
  provider.lifetimeSeconds = 1;
  const before = provider.renewals;
  const page = await open(t, '/network');
  await signInAs(page, 'curator');
  provider.lifetimeSeconds = 3600;
  // longer than the first token is good for
  await new Promise((done) => setTimeout(done, 1500));
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await eventually(t, () => totalOf(page), '8,000');
  await eventually(t, async () => provider.renewals > before, true);
  await page.getByText('Signed in as Dr curator').waitFor();
});

test('a session that ends is reported, and signing in again restores the view', async (t) => {
  provider.lifetimeSeconds = 1;
  provider.letsRenew = false;
  const filters = [{ op: 'in', content: { fieldName: 'sex', value: ['Female'] } }] as const;
  const page = await open(t, `/explore${hashOf({ filters })}`);
  await signInAs(page, 'curator', false);
  await new Promise((done) => setTimeout(done, 1500));
  provider.lifetimeSeconds = 3600;
  provider.letsRenew = true;
  await page.getByRole('link', { name: 'Network', exact: true }).click();
  await page.getByText('Your session has ended.').waitFor();
  await page.goBack();
  const address = page.url();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  // the provider still knows who it is, and requests only their consent
  await page.locator('form button[type=submit]').click();
  await page.getByText('Signed in as Dr curator').waitFor();
  t.not(await totalOf(page), '8,000');
  await eventually(t, async () => page.url(), address);
  await eventually(t, () => page.locator('.chip').count(), 1);
});
