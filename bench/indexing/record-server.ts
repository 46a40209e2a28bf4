import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentAt, idAt } from '../engine/documents.ts';

// Started by ../indexing.ts with a number of records and of records in a page: a record-based repository that answers
// from a file made before, so that it takes little of the processors while it is read. Prints its address when it is ready.

const [count, pageSize] = process.argv.slice(2).map(Number) as [number, number];
const pages = Math.ceil(count / pageSize);

const pageText = (page: number): string => {
  const first = page * pageSize;
  const records = Array.from({ length: Math.min(pageSize, count - first) }, (_, at) => {
    const { id: _id, ...data } = documentAt(first + at);
    const systemId = idAt(first + at);
    return { systemId, entityName: 'specimen', organization: `O${page % 8}`, isValid: true, data };
  });
  const pagination = { currentPage: page + 1, pageSize, totalPages: pages, totalRecords: count };
  return JSON.stringify({ pagination, records });
};

const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
const file = join(folder, 'pages');
const ends: number[] = [];
const writing = await open(file, 'w');
for (let page = 0; page < pages; page++) {
  const { bytesWritten } = await writing.write(pageText(page));
  ends.push((ends.at(-1) ?? 0) + bytesWritten);
}
await writing.close();

const server = createServer((request, response) => {
  const page = Number(new URL(request.url!, 'http://bench').searchParams.get('page')) - 1;
  const start = page === 0 ? 0 : ends[page - 1]!;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': ends[page]! - start });
  createReadStream(file, { start, end: ends[page]! - 1, highWaterMark: 1 << 20 }).pipe(response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
await once(process, 'disconnect');
server.close();
server.closeAllConnections();
await rm(folder, { recursive: true });
