import { existsSync } from 'node:fs';

const defaultPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser to drive: CHROMIUM_PATH, or the first of the usual places.
 * @throws when there is none, saying how to get one
 */
export const chromiumPath = (): string => {
  const configured = process.env.CHROMIUM_PATH;
  const found = (configured === undefined ? defaultPaths : [configured]).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    configured === undefined
      ? `no Chromium at ${defaultPaths.join(', ')}: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH`
      : `there is no Chromium at ${configured}, which CHROMIUM_PATH names`,
  );
};
