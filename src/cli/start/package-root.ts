import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A path inside this package, wherever it is installed; `src/cli` and `dist/cli` are equally deep. */
export const packagePath = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The version in package.json. */
export const packageVersion = (): string => {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  return version;
};
