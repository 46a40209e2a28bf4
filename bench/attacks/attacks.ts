import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';

/** What one client does again and again until the end. */
type Act = (url: string, client: number) => Promise<unknown>;

/** Many clients that do one thing to a server. */
export interface Attack {
  readonly name: string;
  readonly clients: number;
  readonly act: Act;
}

/** Clients of an attack by one caller have one address, those of mixed ones these. */
const callers = 50;
let isOneCaller = true;
/** A client who attacks nobody. */
export const bystander = -1;

const addressOf = (client: number): string => {
  if (client === bystander) return '10.2.0.1';
  return isOneCaller ? '10.1.0.1' : `10.0.0.${client % callers}`;
};

const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** @param url of a server that believes one proxy @param body JSON, as text or not */
export const post = async (
  url: string,
  client: number,
  body: object | string,
  { path = '/graphql', signal = null }: { path?: string; signal?: AbortSignal | null } = {},
): Promise<void> => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': addressOf(client) };
  const response = await fetch(url + path, { method: 'POST', headers, body: textOf(body), signal });
  await response.arrayBuffer();
};

/** Sends bytes on a connection of its own, and waits for its end. */
const raw = (
  url: string,
  client: number,
  request: string,
  body: Uint8Array | string = '',
  use: (socket: Socket) => void = (socket) => socket.resume(),
): Promise<void> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).once('close', () => resolve());
    const [line, ...headers] = request.split('\n');
    const head = [line, 'host: a', `x-forwarded-for: ${addressOf(client)}`, ...headers].join('\r\n');
    socket.write(`${head}\r\n\r\n`);
    socket.write(body);
    use(socket);
    setTimeout(() => socket.destroy(), 10_000).unref();
  });

const postHead = (bytes: number, more = ''): string =>
  `POST /graphql HTTP/1.1\ncontent-type: application/json\ncontent-length: ${bytes}${more}`;

const page = (more = ''): object => ({
  query: `{ specimen { hits(first: 10000${more}) { edges { node { _source } } } } }`,
});
const terms = Array.from(
  { length: 10 },
  (_, at) =>
    `f${at}: filter_by_term(filter: {op: ">=", content: {fieldName: "bytes", value: [${at * 1_000}]}})`,
).join(' ');
const byTerm = { query: `{ specimen { aggregations { title { buckets(max: 50) { key ${terms} } } } } }` };
const allValues = {
  query: '{ specimen { aggregations { id { buckets(max: 50000) { key doc_count } } } } }',
};
const files = [{ fileName: 'all.tsv', columns: [{ fieldName: 'id' }, { fieldName: 'title' }] }];
const download = `/download?params=${encodeURIComponent(JSON.stringify({ files }))}`;

const brackets = brotliCompressSync('['.repeat(5_000_000));
const unfinished = '['.repeat(90) + '1,'.repeat(2_490_000);
/** Texts are made once: the clients of an attack are to take as little as possible of the processors they share. */
const manyNumbers = JSON.stringify({
  query: 'query ($f: JSON) { specimen { hits(filters: $f) { total } } }',
  variables: {
    f: { op: 'in', content: { fieldName: 'reads', value: Array<number>(2_400_000).fill(1) } },
  },
});
const manyLists = JSON.stringify({ query: '{ __typename }', variables: { v: Array(20_000).fill([]) } });
const textInText = JSON.stringify({
  query: '{ __typename }',
  variables: JSON.stringify(Array<number>(2_400_000).fill(1)),
});
const openBrackets = JSON.stringify({ query: '('.repeat(5_000_000) });
/** Just below the limit, and valid: they are parsed, validated and executed. */
const inlineValues = Array.from({ length: 14_950 }, (_, at) => `"v${at}"`).join(' ');
const manyTokens = (client: number): object => ({
  query: `{ specimen { hits(filters: {op: "in", content: {fieldName: "title", value: [${inlineValues} "${client}"]}}) { total } } }`,
});
const fragments = (client: number): object => {
  const chain = Array.from(
    { length: 190 },
    (_, at) => `fragment f${at} on specimen { ...f${at + 1} ...f${at + 1} }`,
  );
  const last = `fragment f190 on specimen { hits(first: ${client % 1_000}) { total } }`;
  return { query: `{ specimen { ...f0 } } ${chain.join(' ')} ${last}` };
};
const persisted = (client: number, at: number): object => {
  const query = `{ __typename } # ${client} ${at} ${'x'.repeat(1_000_000)}`;
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  return { query, extensions: { persistedQuery: { version: 1, sha256Hash } } };
};
const network = {
  query:
    '{ network { total hits(first: 10000) { edges { node { id title } } } aggregations { id { buckets(max: 50000) { key doc_count } } } } }',
};
const saving = {
  query:
    'mutation ($user: String!) { saveSet(type: specimen, userId: $user, path: "id", sqon: {}) { size } }',
};
const view = JSON.stringify({ text: 'x'.repeat(1_000_000) });
const pipeline = 'GET /introspection/specimen HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(1_000);

let count = 0;
const readPages: Act = async (url) => {
  const all = ['/', '/introspection', '/introspection/specimen', '/introspection/fields', '/network'];
  all.push('/network/introspection/fields', '/portal/config.json', '/service-info', '/ready', '/nothing');
  for (const path of all) await fetch(url + path).then((response) => response.arrayBuffer());
};
const drip = (socket: Socket): void => {
  const drops = setInterval(() => socket.write(' '), 100).unref();
  socket.once('close', () => clearInterval(drops));
};

const attacks: readonly Attack[] = [
  {
    name: 'brackets packed by brotli',
    clients: 20,
    act: (url, client) => raw(url, client, postHead(brackets.length, '\ncontent-encoding: br'), brackets),
  },
  {
    name: 'bodies that never end',
    clients: 250,
    act: (url, client) => raw(url, client, postHead(unfinished.length + 1), unfinished),
  },
  {
    name: 'bodies of a byte at a time',
    clients: 300,
    act: (url, client) => raw(url, client, postHead(5_000_000), ' ', drip),
  },
  {
    name: '2.4 million numbers in one `in`',
    clients: 10,
    act: (url, client) => post(url, client, manyNumbers),
  },
  { name: '20 000 lists in 60 kB', clients: 50, act: (url, client) => post(url, client, manyLists) },
  { name: '5 MB of JSON in a text', clients: 10, act: (url, client) => post(url, client, textInText) },
  {
    name: '5 MB of brackets as a document',
    clients: 10,
    act: (url, client) => post(url, client, openBrackets),
  },
  {
    name: 'documents of 15 000 tokens',
    clients: 20,
    act: (url, client) => post(url, client, manyTokens(client + count++)),
  },
  {
    name: 'fragments of fragments',
    clients: 20,
    act: (url, client) => post(url, client, fragments(client + count++)),
  },
  {
    name: 'persisted documents of 1 MB',
    clients: 20,
    act: (url, client) => post(url, client, persisted(client, count++)),
  },
  { name: 'batches', clients: 20, act: (url, client) => post(url, client, Array(10).fill(page())) },
  { name: 'pages of 10 000 records', clients: 20, act: (url, client) => post(url, client, page()) },
  {
    name: 'pages, hung up on',
    clients: 60,
    act: (url, client) => post(url, client, page(`, offset: ${0}`), { signal: AbortSignal.timeout(50) }),
  },
  {
    name: 'sorted pages, hung up on',
    clients: 60,
    act: (url, client) =>
      post(url, client, page(', sort: [{fieldName: "title"}]'), { signal: AbortSignal.timeout(300) }),
  },
  {
    name: 'pages that nobody reads',
    clients: 60,
    act: (url, client) =>
      raw(url, client, postHead(JSON.stringify(page()).length), JSON.stringify(page()), (socket) =>
        socket.pause(),
      ),
  },
  { name: 'filter_by_term', clients: 20, act: (url, client) => post(url, client, byTerm) },
  { name: 'all values of a field', clients: 20, act: (url, client) => post(url, client, allValues) },
  {
    name: 'downloads',
    clients: 15,
    act: (url, client) => raw(url, client, `GET ${download} HTTP/1.1\nconnection: close`),
  },
  {
    name: 'downloads that nobody reads',
    clients: 100,
    act: (url, client) => raw(url, client, `GET ${download} HTTP/1.1`, '', (socket) => socket.pause()),
  },
  {
    name: 'HEAD of downloads',
    clients: 20,
    act: (url, client) => raw(url, client, `HEAD ${download} HTTP/1.1\nconnection: close`),
  },
  {
    name: 'network downloads',
    clients: 15,
    act: (url, client) => raw(url, client, `GET /network${download} HTTP/1.1\nconnection: close`),
  },
  {
    name: 'network queries',
    clients: 20,
    act: (url, client) => post(url, client, network, { path: '/network/graphql' }),
  },
  {
    name: 'saved sets',
    clients: 10,
    act: (url, client) => post(url, client, { ...saving, variables: { user: `u${count++}` } }),
  },
  {
    name: 'short links of 1 MB',
    clients: 20,
    act: (url, client) => post(url, client, view, { path: '/portal/links' }),
  },
  {
    name: 'pipelined requests',
    clients: 50,
    act: (url, client) => raw(url, client, 'GET /introspection/specimen HTTP/1.1', `\r\n${pipeline}`),
  },
  {
    name: 'silent connections',
    clients: 1_500,
    act: (url, client) => raw(url, client, 'GET /ping HTTP/1.1', '', () => undefined),
  },
  { name: 'everything that describes', clients: 50, act: readPages },
];

/** Many callers that do all of it at once. */
const mixed: Attack = {
  name: 'all of these at once',
  clients: 200,
  act: (url, client) => attacks[client % attacks.length]!.act(url, client),
};

/** @throws Error for an unknown name */
const attackNamed = (name: string): Attack => {
  const found = [...attacks, mixed].find((attack) => attack.name === name);
  if (found === undefined) throw new Error(`no attack is named ${name}`);
  return found;
};

export const attackNames = [...attacks, mixed].map(({ name }) => name);

/** Runs the clients of an attack until the process ends. */
export const runAttack = (name: string, url: string): void => {
  const { clients, act } = attackNamed(name);
  isOneCaller = name !== mixed.name;
  process.send?.('begun');
  for (let client = 0; client < clients; client++)
    void (async () => {
      for (;;) {
        await act(url, client).catch(() => undefined);
        await sleep(20);
      }
    })();
};
