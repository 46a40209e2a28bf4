import { createServer, type RequestListener } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import { listening } from '../listening.ts';

const chunk = (name: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

/** A picture in one colour, which takes only as much room as its header says if it is drawn. */
export const png = (width: number, height: number, [red, green, blue] = [200, 80, 40]): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const isDrawn = width * height <= 1_000_000;
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(red!, green!, blue!))]);
  const rows = isDrawn ? Buffer.concat(Array.from({ length: height }, () => row)) : Buffer.of(0);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))],
  ]);
};

/** Serves what the paths of a table lead to, until the test is over; paths are noted as they are requested. */
export const imageHost = async (
  t: Pick<ExecutionContext, 'teardown'>,
  paths: Readonly<Record<string, Buffer | RequestListener>>,
) => {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url!);
    const found = paths[request.url!];
    if (typeof found === 'function') return found(request, response);
    // a name that says nothing of what is inside
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
    response.end(found ?? 'none');
  });
  const { url } = await listening(t, server);
  return { url, port: new URL(url).port, requested };
};
