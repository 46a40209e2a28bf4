import { fileURLToPath } from 'node:url';

/** A path inside this package, wherever it is installed; `src/cli` and `dist/cli` are equally deep. */
export const packagePath = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));
