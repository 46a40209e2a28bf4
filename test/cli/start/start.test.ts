import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { postQuery, run, startNode } from '../../whole/end-to-end/processes.ts';
import { listening } from '../../listening.ts';
import { runHere } from '../run-here.ts';

const books = '{"id":"b1","title":"Atlas"}\n{"id":"b2","title":"Bees"}\n';

test('serves what was loaded, prints what to try, and ends cleanly at SIGTERM', async (t) => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'books.ndjson': books,
    'portal.json': { charts: ['titel'] },
  });
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
    DISABLE_FILTER: 'true',
  };
  t.is((await runHere(['load', join(folder, 'books.ndjson'), '--index', 'books'], settings)).code, 0);
  const misspelt = await run(['start'], { ...settings, PORTAL_PATH: join(folder, 'portal.json') });
  t.is(misspelt.code, 1);
  t.regex(misspelt.output, /portal\.json, charts\[0\]: there is no field "titel": did you mean "title"\?/);
  const node = await startNode(settings);
  const answer = await postQuery(
    `${node.url}/graphql`,
    '{ book { hits { total edges { node { title } } } } }',
  );
  t.deepEqual(answer.data, {
    book: { hits: { total: 2, edges: [{ node: { title: 'Atlas' } }, { node: { title: 'Bees' } }] } },
  });
  t.is(await node.stop(), 0);
  const output = node.output();
  t.regex(output, /warning: DISABLE_FILTER is unknown: did you mean DISABLE_FILTERS\?/);
  t.true(
    output.includes(
      `is running at ${node.url}\n  listening on ${new URL(node.url).host}\n  catalogue books (book): available\n`,
    ),
    output,
  );
  for (const tried of [
    `${node.url}/graphql `,
    `${node.url}/introspection `,
    `curl -s ${node.url}/graphql -H`,
  ])
    t.true(output.includes(tried), tried);
});

test('a node with a network serves catalogues whose own network.json is fine, and fails the others', async (t) => {
  const refusing = createHttpServer((_request, response) => response.writeHead(403).end());
  const refused = `${(await listening(t, refusing)).url}/graphql`;
  const network = (url: string) => ({
    network: {
      localNode: { nodeId: 'here', displayName: 'Here' },
      remoteNodes: [{ nodeId: 'there', displayName: 'There', documentType: 'book', graphqlUrl: url }],
    },
  });
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'configs/books/network.json': network(refused),
    'configs/maps/base.json': { documentType: 'map', esIndex: 'books' },
    'configs/maps/network.json': network('no address'),
    'books.ndjson': books,
  });
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
  };
  await runHere(['load', join(folder, 'books.ndjson'), '--index', 'books'], settings);
  const node = await startNode(settings);
  t.teardown(() => node.kill());
  const answer = await postQuery(`${node.url}/books/graphql`, '{ network { nodes { nodeId status hits } } }');
  t.deepEqual(answer.data, {
    network: {
      nodes: [
        { nodeId: 'here', status: 'OK', hits: 2 },
        { nodeId: 'there', status: 'ERROR', hits: 0 },
      ],
    },
  });
  const failed = (await (await fetch(`${node.url}/introspection/maps`)).json()) as {
    error: { message: string };
  };
  t.regex(failed.error.message, /network\.json/);
});

const command = (args: readonly string[], settings: Record<string, string> = {}) =>
  run(args, { NODES_PATH: 'off', CONFIGS_PATH: '/nowhere/at/all', ...settings });

test('what stops a start is one line on standard error, with exit code 1', async (t) => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'nodes.json': { nodes: [{ nodeId: 'x' }] },
  });
  const taken = await listening(t, createServer());
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    SERVER_HOST: '127.0.0.1',
  };
  const port = String(taken.port);
  for (const [changes, expected] of [
    [{ CONFIGS_PATH: '/nowhere/at/all' }, /there is nothing to serve/],
    [{ DISABLE_FILTERS: 'yes' }, /DISABLE_FILTERS cannot be "yes"/],
    [{ NODES_PATH: join(folder, 'nodes.json') }, /nodes\.json.*x/],
    [{ SERVER_PORT: port }, /cannot listen on port \d+ of 127\.0\.0\.1: another program has it/],
  ] as const) {
    const { code, output } = await command(['start'], { ...settings, ...changes });
    t.is(code, 1);
    t.regex(output, new RegExp(`^tributary start: .*${expected.source}`, 'm'));
    t.notRegex(output, /\n {4}at /);
  }
});

test('the command line describes its commands', async (t) => {
  const help = await command(['help']);
  t.is(help.code, 0);
  t.regex(help.output, /usage: tributary <command>/);
  t.deepEqual(await command(['--help']), help);
  t.regex((await command(['--version'])).output, /^\d+\.\d+\.\d+( \(commit [0-9a-f]{40}\))?\n$/);
  for (const [args, expected] of [
    [[], /^a command is missing\n\nusage/],
    [['serve'], /^unknown command serve\n\nusage/],
    [['start', '--smaple'], /^tributary start: Unknown option '--smaple'/],
  ] as const) {
    const { code, output } = await command(args);
    t.is(code, 2);
    t.regex(output, expected);
  }
});
