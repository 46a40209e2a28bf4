// Builds portal/ into portal/dist, with a brotli form beside each file. Ends well where there is nothing to build with:
// an installation without development dependencies, or a Docker layer that has no sources yet.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { chunkCycle } from './chunk-cycle.ts';
import { licenceText } from './licences.js';

const portal = join(import.meta.dirname, '../portal');
// built in a separate folder: the served files stay until the new ones are complete
const next = join(portal, 'dist-next');
const require = createRequire(import.meta.url);

const isInstalled = (name) => {
  try {
    return Boolean(require.resolve(`${name}/package.json`));
  } catch {
    return false;
  }
};

const build = async () => {
  // a test or a shell may set NODE_ENV, and React would be bundled with its development checks
  process.env['NODE_ENV'] = 'production';
  const vite = await import('vite');
  const packages = new Set();
  await vite.build({
    configFile: join(portal, 'vite.config.js'),
    build: { outDir: next },
    plugins: [listPackages(packages), refuseCycles],
  });
  const build = { styleHashes: styleHashes(), pageFiles: pageFiles() };
  writeFileSync(join(next, 'build.json'), `${JSON.stringify(build)}\n`);
  const assets = join(next, 'portal/assets');
  writeFileSync(join(assets, 'third-party-licenses.txt'), [...packages].map(licenceText).sort().join('\n'));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
  const sizes = readdirSync(assets).map((name) => {
    const packed = brotliCompressSync(readFileSync(join(assets, name)), options);
    writeFileSync(join(assets, `${name}.br`), packed);
    return packed.length;
  });
  const dist = join(portal, 'dist');
  const previous = join(portal, 'dist-previous');
  rmSync(previous, { recursive: true, force: true });
  // two renames, so that a server that starts in between finds either the old or the new folder
  if (existsSync(dist)) renameSync(dist, previous);
  renameSync(next, dist);
  rmSync(previous, { recursive: true, force: true });
  const kilobytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000);
  console.log(`portal: ${sizes.length} files, ${kilobytes} kB in brotli`);
};

/** Lists the folders of the packages whose code is in the bundle. */
const listPackages = (packages) => ({
  name: 'list-packages',
  generateBundle: (_options, bundle) => {
    const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    for (const id of modules) {
      const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
      if (folder !== undefined) packages.add(folder);
    }
  },
});

const refuseCycles = {
  name: 'refuse-cycles',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).map(({ fileName, imports = [] }) => [fileName, imports]);
    const cycle = chunkCycle(new Map(chunks));
    if (cycle !== null)
      this.error(`chunks import each other, and pages may not start: ${cycle.join(' -> ')}`);
  },
};

/** The files that each page will load, so that the browser requests all of them at once instead of one after another. */
const pageFiles = () => {
  const manifest = JSON.parse(readFileSync(join(next, 'manifest.json'), 'utf8'));
  rmSync(join(next, 'manifest.json'));
  const filesOf = (key, seen = new Set()) => {
    const { file, imports = [] } = manifest[key];
    if (!seen.has(file)) {
      seen.add(file);
      for (const each of imports) filesOf(each, seen);
    }
    return seen;
  };
  const entry = filesOf('index.html');
  return Object.fromEntries(
    ['start', 'explore', 'record', 'network', 'docs'].map((page) => {
      const all = [...filesOf('src/draw.tsx'), ...filesOf(`src/${page}/${page}-page.tsx`)];
      return [page, [...new Set(all)].filter((file) => !entry.has(file)).map((file) => basename(file))];
    }),
  );
};

/** Hashes of the style sheets that React Aria inserts by script: the policy allows each by its hash. */
const styleHashes = () => {
  const folder = join(require.resolve('react-aria/package.json'), '../dist/private');
  const hashes = ['interactions/usePress.mjs', 'overlays/usePreventScroll.mjs'].map((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const sheet = /\.textContent = `([^`]*)`\s*\.trim\(\)/.exec(source)?.[1];
    if (sheet === undefined)
      throw new Error(`react-aria's ${file} inserts no sheet any more: look how it does now`);
    const written = sheet.replace(/\$\{([^}]+)\}/g, (_, name) => valueOf(source, name));
    return `sha256-${createHash('sha256').update(written.trim()).digest('base64')}`;
  });
  return hashes;
};

const valueOf = (source, name) => {
  const value = new RegExp(`const ${name.replaceAll('$', '\\$')} = '([^']*)'`).exec(source)?.[1];
  if (value === undefined) throw new Error(`react-aria's ${name} is not a plain text any more`);
  return value;
};

if (!existsSync(join(portal, 'vite.config.js')) || !isInstalled('vite'))
  console.log('portal: not built, for its sources or development dependencies are not here');
else await build();
