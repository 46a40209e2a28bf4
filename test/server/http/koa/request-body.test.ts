import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { accountMemory, type HttpContext } from '../../../../src/server/http/koa/http-context.ts';
import { readJsonBody } from '../../../../src/server/http/koa/request-body.ts';
import { MemoryAccount } from '../../../../src/lib/runtime/memory-account.ts';

test('a packed body is held as what it unpacks to', async (t) => {
  const text = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => Math.sin(at)));
  const packed = gzipSync(text);
  for (const announced of [{ 'content-length': String(packed.length) }, {}]) {
    const headers = { ...announced, 'content-encoding': 'gzip' };
    const context = { req: Object.assign(Readable.from([packed]), { headers }), res: new EventEmitter() };
    const account = new MemoryAccount(1_000_000);
    await accountMemory(account, () => '')(context as never, () =>
      readJsonBody(context as unknown as HttpContext, { limitBytes: 1_000_000 }, 'not JSON'),
    );
    t.true(account.usedBytes >= 2 * text.length);
  }
});
