import test, { type ExecutionContext } from 'ava';
import { checkNetwork } from '../../../src/cli/check/check-network.ts';
import { checkProfile } from '../../../src/cli/check/check-profile.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import type { NodeReport } from '../../../src/federation/nodes/node-view.ts';
import { cohort } from '../../capabilities/disclosure/cohort.ts';
import {
  folderWithRelease,
  serveRelease,
  throwingEngine,
} from '../../capabilities/disclosure/served-release.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const agreed = {
  threshold: 10,
  unit: 'donor_id',
  dimensions: [
    { fieldName: 'sex' },
    { fieldName: 'age', edges: [20, 40, 60] },
    { fieldName: 'enrolled', calendar: 'year', from: '2015', to: '2018' },
  ],
};

/** What `check` says of a cohort's release that serves as a local node and as a remote one. */
const checked = async (
  t: ExecutionContext,
  disclosure: object,
  {
    released = true,
    fields = {},
    entry = {},
  }: { readonly released?: boolean; readonly fields?: object; readonly entry?: object } = {},
) => {
  const folder = released ? await folderWithRelease(t, cohort(400, 7)) : temporaryFolder(t, {});
  const { url, parts } = await serveRelease(t, folder, throwingEngine(400));
  const patient = { timeoutMs: 60_000, fields, ...entry };
  const remote = { graphqlUrl: `${url}/graphql`, documentType: 'donor', discoveryTimeoutMs: 120_000 };
  const nodes = [
    { nodeId: 'here', catalogue: 'cohort', ...patient },
    { nodeId: 'there', ...remote, ...patient },
  ];
  const config = readNodes({ network: { disclosure }, nodes }, 'nodes.json');
  const { problems, warnings } = await checkNetwork(config, parts.registry, { env: {}, maxDepth: 7 });
  const own = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => line.includes('network.disclosure'));
  return { problems: own(problems), warnings: own(warnings) };
};

const ofBoth = (line: string): readonly string[] =>
  ['here', 'there'].map((nodeId) => `nodes.json: node "${nodeId}": ${line}`);

test('nodes that release what the network agreed on are fine', async (t) => {
  t.deepEqual(await checked(t, agreed), { problems: [], warnings: [] });
});

test('edges are compared in the unit of the network, and a constant needs no release', async (t) => {
  const entry = { units: { age: { factor: -12, offset: 960 } }, constants: { country: 'Norway' } };
  const dimensions = [{ fieldName: 'age', edges: [240, 480, 720] }, { fieldName: 'country' }];
  t.deepEqual(await checked(t, { dimensions }, { entry }), { problems: [], warnings: [] });
});

test('a profile that asks for nothing finds nothing', async (t) => {
  t.deepEqual(await checked(t, {}), { problems: [], warnings: [] });
});

test('every difference is reported, for a local and for a remote node', async (t) => {
  const { problems, warnings } = await checked(t, {
    threshold: 20,
    unit: 'record',
    dimensions: [
      { fieldName: 'age', edges: [20, 40, 65] },
      { fieldName: 'sex', edges: [1] },
      { fieldName: 'enrolled', calendar: 'year', from: '2015', to: '2017' },
      { fieldName: 'surname' },
    ],
  });
  const stated = [
    'hides counts below 10, but network.disclosure.threshold is 20',
    'counts values of donor_id, but network.disclosure.unit asks for records',
    'has the edges 20, 40, 60 for age, but network.disclosure.dimensions has 20, 40, 65',
    'releases values of sex and no intervals, but network.disclosure.dimensions has 1',
    'has the edges 2015-01-01, 2016-01-01, 2017-01-01, 2018-01-01, 2019-01-01 for enrolled, but network.disclosure.dimensions has 2015-01-01, 2016-01-01, 2017-01-01, 2018-01-01',
    'does not release surname, which network.disclosure.dimensions lists',
  ].map(ofBoth);
  t.deepEqual(problems, [...stated.map(([here]) => here!), ...stated.map(([, there]) => there!)]);
  t.deepEqual(warnings, []);
});

test("the network's names are each node's own", async (t) => {
  const renamed = { unit: 'person', dimensions: [{ fieldName: 'years', edges: [20, 40, 60] }] };
  const fields = { person: 'donor_id', years: 'age' };
  t.deepEqual(await checked(t, renamed, { fields }), { problems: [], warnings: [] });
});

test('what is not released yet cannot be compared, and is reported so', async (t) => {
  const { problems, warnings } = await checked(t, agreed, { released: false });
  t.deepEqual(problems, []);
  // the remote node has no fields yet, which its discovery tells
  t.deepEqual(warnings, [
    'nodes.json: node "here": has released nothing yet: network.disclosure.dimensions cannot be compared',
  ]);
});

const remote = { nodeId: 'there', graphqlUrl: 'https://b.example/graphql', documentType: 'donor' };
const compared = (report: object) => {
  const config = readNodes({ network: { disclosure: agreed }, nodes: [remote] }, 'nodes.json');
  return checkProfile(config, [report as NodeReport], () => undefined);
};

test('a node that does not say by what it counts is compared as far as it says', (t) => {
  const disclosure = { tier: 'counts', threshold: 25, counted: '', date: '2026-11-01' };
  t.deepEqual(compared({ disclosure, released: null }), {
    problems: [
      'nodes.json: node "there": hides counts below 25, but network.disclosure.threshold is 10',
      'nodes.json: node "there": counts what it does not name, but network.disclosure.unit asks for values of donor_id',
    ],
    warnings: [
      'nodes.json: node "there": does not say by what it counts: network.disclosure.dimensions cannot be compared',
    ],
  });
});

test('a node that shows records is left alone', (t) => {
  t.deepEqual(compared({ disclosure: null }), { problems: [], warnings: [] });
});
