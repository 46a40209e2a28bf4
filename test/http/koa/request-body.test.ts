import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import type { HttpContext } from '../../../src/http/koa/http-context.ts';
import { readJsonBody } from '../../../src/http/koa/request-body.ts';

test('a packed body is held as what it unpacks to', async (t) => {
  const text = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => Math.sin(at)));
  const packed = gzipSync(text);
  for (const announced of [{ 'content-length': String(packed.length) }, {}]) {
    const headers = { ...announced, 'content-encoding': 'gzip' };
    const context = { req: Object.assign(Readable.from([packed]), { headers }), res: new EventEmitter() };
    let held = 0;
    const hold = (_: unknown, bytes: number): void => void (held += bytes);
    await readJsonBody(context as unknown as HttpContext, { limitBytes: 1_000_000, hold }, 'not JSON');
    t.is(held, text.length);
  }
});
