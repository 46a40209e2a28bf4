import shared from '../../../together/ava.config.js';

/** What is of an address: its own words for a connection that fails, that manifests may name it, and one discovery. */
const ofAddresses = [
  'the manifest of a complete file records the query, the nodes and their rows',
  'state says how each node did and why',
  'merges buckets, stats, nodes and totals of local, remote and dead nodes in one request a node',
  'a node of a network is required by its path',
  'a node that did not answer its discovery in time is not discovered again by itself',
  'one line for each change says which node, what, why and since when; conflicts are logged at the start',
];

/** What has no network in it. */
const ofCatalogues = [
  'branches and trees of a catalogue are what set algebra finds',
  'percentiles, histograms and distinct values under a branch are those of its codes',
];

/**
 * The tests of networks whose subject is the transport once more, with every remote node behind a tunnel:
 * `npm run test:all -- tunnels`.
 */
export default {
  ...shared,
  files: [
    'test/together/{federation,remote}.ts',
    'test/capabilities/disclosure/network.test.ts',
    'test/introspection/hierarchies/branches.test.ts',
  ],
  nodeArguments: [
    ...(shared.nodeArguments ?? []),
    `--import=${new URL('register.js', import.meta.url).href}`,
  ],
  environmentVariables: { ...shared.environmentVariables, TEST_OVER: 'tunnels' },
  match: ['*', '!local*', ...[...ofAddresses, ...ofCatalogues].map((title) => `!*${title}`)],
};
