import { createServer, type RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { openTakeOver } from '../../../../src/server/http/koa/take-over.ts';
import { listening } from '../../../listening.ts';

const answering =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);

/** An application whose answers begin, and end when they are told to. */
const slow = () => {
  const { promise: ends, resolve: end } = Promise.withResolvers<undefined>();
  const cut: unknown[] = [];
  const create = (late: AbortSignal): RequestListener => {
    late.addEventListener('abort', () => cut.push((late.reason as Error).message));
    return (_, response) => {
      response.write('first ');
      void ends.then(() => response.end('last'));
    };
  };
  return { create, cut, end: () => end(undefined) };
};

const serve = async (t: ExecutionContext, maxMs?: number) => {
  const takeOver = openTakeOver(maxMs);
  const { url } = await listening(t, createServer(takeOver.answer));
  return { takeOver, text: async () => (await fetch(url)).text(), begin: () => fetch(url) };
};

test('requests in progress end on the application they began with, which then ends', async (t) => {
  const { takeOver, text, begin } = await serve(t);
  const [first, ended] = [slow(), [] as string[]];
  takeOver.serve(first.create);
  const begun = await begin();
  takeOver.serve(
    () => answering('second'),
    () => ended.push('first'),
  );
  t.is(await text(), 'second');
  t.deepEqual(ended, []);
  takeOver.serve(
    () => answering('third'),
    () => ended.push('second'),
  );
  t.deepEqual(ended, ['second']);
  first.end();
  t.is(await begun.text(), 'first last');
  t.is(await text(), 'third');
  t.deepEqual([ended, first.cut], [['second', 'first'], []]);
});

test('what goes on for too long is broken off, never cut short', async (t) => {
  const { takeOver, text, begin } = await serve(t, 50);
  const first = slow();
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  takeOver.serve(first.create);
  const begun = await begin();
  takeOver.serve(
    () => answering('second'),
    () => resolve(undefined),
  );
  await t.throwsAsync(begun.text(), { message: /terminated/ });
  await ended;
  t.deepEqual(first.cut, ['another configuration has been served for too long']);
  t.is(await text(), 'second');
});

test('when the server stops, the downloads of all applications are cut', async (t) => {
  const { takeOver, begin } = await serve(t);
  const [first, second] = [slow(), slow()];
  takeOver.serve(first.create);
  const begun = await begin();
  takeOver.serve(second.create);
  takeOver.cut(new Error('stopped'));
  t.deepEqual([first.cut, second.cut], [['stopped'], ['stopped']]);
  first.end();
  await begun.text();
});
