/**
 * The suites of tests, in the order in which CI starts them: the longest first, so that all end together.
 * @type {Readonly<Record<string, { readonly command: readonly string[], readonly settings?: Readonly<Record<string, string>> }>>}
 */
export const suites = {
  portal: { command: ['ava', '--config', 'test/portal/browser/ava.config.js'] },
  test: { command: ['npm', 'test'] },
  engines: { command: ['ava', '--config', 'test/engines/cluster/ava.config.js'] },
  processes: { command: ['ava', '--config', 'test/together/processes.config.js'] },
  clients: { command: ['node', 'test/whole/clients/run.ts'] },
  fuzz: {
    command: [
      ...['ava', '--timeout=5m', 'test/whole/fuzz/**', 'test/capabilities/beacon/beacon.test.ts'],
      'test/capabilities/disclosure/branches.test.ts',
      'test/engines/embedded/{differential,sqon}.test.ts',
      'test/federation/{property-{splits,levels},random-network/random-network}.test.ts',
    ],
    settings: {
      ...{ FUZZ_CASES: '5000', BRANCH_CASES: '40', ENGINE_CASES: '400', SPLIT_CASES: '30' },
      ...{ NETWORK_CASES: '250', BEACON_CASES: '500' },
    },
  },
  tunnels: { command: ['ava', '--config', 'test/capabilities/joining/over/ava.config.js'] },
  disclosure: {
    command: [
      ...['ava', '--timeout=30m'],
      'test/capabilities/disclosure/{bounds/soundness,audit/audit,audit/within-rule,renewal/series-doors,doors/same-bounds,same-answers}.test.ts',
    ],
    settings: { TEST_FILE_MINUTES: '30', DISCLOSURE_CASES: '10000' },
  },
  attack: { command: ['ava', '--config', 'test/whole/attack/ava.config.js'] },
  schemathesis: { command: ['node', 'test/whole/schemathesis/run.ts'] },
  package: { command: ['ava', '--config', 'test/whole/package/ava.config.js'] },
};
