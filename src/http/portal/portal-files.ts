import { readFile, readdir } from 'node:fs/promises';
import { extname } from 'node:path';

/** A built file and its brotli form, as the build left them on disk. */
export interface PortalFile {
  readonly type: string;
  readonly content: Buffer;
  readonly brotli: Buffer | null;
}

/** What the build of the portal leaves. */
export interface PortalFiles {
  readonly page: string;
  /** By their names under portal/assets; a changed file has a new name. */
  readonly assets: ReadonlyMap<string, PortalFile>;
  /** Sources for style-src of what the page's own libraries insert, such as 'sha256-...'. */
  readonly styleHashes: readonly string[];
}

/** `src/http/portal` and `dist/http/portal` are equally deep. */
const builtFolder = new URL('../../../portal/dist/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The built portal, read once.
 * @param folder where it is; by default beside the program
 * @returns null for an installation without it
 */
export const readPortalFiles = async (folder: URL = builtFolder): Promise<PortalFiles | null> => {
  try {
    const page = await readFile(new URL('index.html', folder), 'utf8');
    const { styleHashes } = JSON.parse(await readFile(new URL('build.json', folder), 'utf8')) as {
      styleHashes: string[];
    };
    const assets = new URL('portal/assets/', folder);
    const names = (await readdir(assets)).filter((name) => Object.hasOwn(types, extname(name)));
    const read = await Promise.all(names.map(async (name) => [name, await readAsset(assets, name)] as const));
    return { page, assets: new Map(read), styleHashes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const readAsset = async (assets: URL, name: string): Promise<PortalFile> => ({
  type: types[extname(name)]!,
  content: await readFile(new URL(name, assets)),
  brotli: await readFile(new URL(`${name}.br`, assets)).catch(noneThere),
});

const noneThere = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};
