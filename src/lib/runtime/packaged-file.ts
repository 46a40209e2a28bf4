import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/**
 * A file of another package that a page loads. The build copies it beside the module that serves it, so that the other
 * package need not be installed; in a checkout, it is among the development dependencies.
 * @param beside the URL to which the build copies it
 * @returns null for an installation that has neither
 */
export const packagedFile = async (beside: URL, packageName: string, path: string): Promise<Buffer | null> =>
  (await readIfThere(fileURLToPath(beside))) ?? (await readIfThere(inPackage(packageName, path)));

const inPackage = (packageName: string, path: string): string | null => {
  try {
    return join(dirname(require.resolve(`${packageName}/package.json`)), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
};

const readIfThere = async (path: string | null): Promise<Buffer | null> => {
  if (path === null) return null;
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
