/** Which process every test file runs in: one of a group, or not in `npm test` (see `run.ts`). */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isOfTransport } from '../capabilities/joining/over/is-of-transport.ts';

/**
 * The folders of `test/` whose files share a process; the innermost folder counts. `others` takes what is left. They start
 * in this order, the longest first, so that no processor is idle while the last one runs.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  others: [],
  disclosure: ['capabilities/disclosure'],
  federation: ['federation'],
  embedded: ['engines/embedded'],
  remote: ['federation/remote', 'federation/nodes', 'federation/query', 'federation/catalogue'],
  indexing: ['indexing'],
  http: ['server/http', 'capabilities/portal'],
  pure: ['capabilities/access', 'capabilities/audit', 'lib', 'search/facets', 'introspection', 'sqon'],
  engines: ['engines'],
  local: ['local', 'portal', 'search'],
};

/** Files that start processes, or need one of their own for long: `npm run test:all -- processes`. */
const processes: readonly string[] = [
  'test/whole/end-to-end/**/*.test.ts',
  'test/federation/processes/**/*.test.ts',
  'test/engines/embedded/{damaged,disk,durability,full-disk,killed,two-processes}.test.ts',
  'test/engines/embedded/store/temporary-file.test.ts',
  'test/indexing/jobs/killed.test.ts',
  'test/cli/load/load{,-claim}.test.ts',
  'test/cli/start/{hang-ups,start}.test.ts',
  'test/cli/index/{index-command,remove}.test.ts',
  'test/main.test.ts',
  'test/whole/bench/programs.test.ts',
  // their cases wait for stalled nodes, side by side
  'test/federation/download/download-faults.test.ts',
];

/** Files that send generated cases to a server in a process of its own: `npm run test:all -- fuzz`. */
const fuzz: readonly string[] = [
  'test/whole/fuzz/{doors,downloads,filters,guarded,inherited-names,nasty-cases,queries,requests}.test.ts',
];

/** Files whose proofs take a minute: `npm run test:all -- disclosure`, which runs others at length too. */
const proofs: readonly string[] = [
  'test/capabilities/disclosure/{audit/{audit,within-rule},renewal/series-doors}.test.ts',
];

/** Files that `npm run test:all -- fuzz` and the suite `disclosure` run with more cases of the same seeds: CI runs them there only. */
const atLength: readonly string[] = [
  'test/engines/embedded/{differential,sqon}.test.ts',
  'test/federation/{property-{splits,levels},random-network/random-network}.test.ts',
  'test/{capabilities/beacon/beacon,whole/fuzz/configuration,capabilities/disclosure/branches}.test.ts',
  'test/capabilities/disclosure/{bounds/soundness,doors/same-bounds,same-answers}.test.ts',
];

const cwd = fileURLToPath(new URL('../../', import.meta.url));
const matching = (pattern: string): readonly string[] => {
  const found = globSync(pattern, { cwd });
  if (found.length === 0) throw new Error(`test/together/groups.ts names ${pattern}, which no file matches`);
  return found;
};

export const processFiles = processes.flatMap(matching).sort();
const long = process.env['TEST_AT_LENGTH'] === 'elsewhere' ? atLength : [];
const elsewhere = [...processFiles, ...[...fuzz, ...proofs, ...long].flatMap(matching)];
export const groupNames = Object.keys(groups);

const groupOf = (path: string): string => {
  const folders = groupNames.flatMap((name) => groups[name]!.map((folder) => ({ name, folder })));
  const around = folders.filter(({ folder }) => path.startsWith(`test/${folder}/`));
  return around.sort((a, b) => b.folder.length - a.folder.length)[0]?.name ?? 'others';
};

/**
 * The test files of a group, relative to the root. New files are found by their name. TEST_OVER=tunnels leaves those of
 * networks whose subject is the transport.
 */
export const filesOf = (group: string): readonly string[] =>
  globSync('test/**/*.test.ts', {
    cwd,
    exclude: ['test/whole/{attack,package}/**', 'test/whole/clients/node_modules/**'],
  })
    .filter((path) => !elsewhere.includes(path) && groupOf(path) === group)
    .filter((path) => process.env['TEST_OVER'] !== 'tunnels' || isOfTransport(path))
    .sort();
