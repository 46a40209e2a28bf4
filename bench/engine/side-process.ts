import { createHash } from 'node:crypto';
import type { Reply, Request, Side } from './side.ts';

// Started by run.ts with the engine's name and its folder; answers one request after the other.

const [name, folder] = process.argv.slice(2) as [string, string];
// only the selected one is loaded: its memory is measured
const side: Side =
  name === 'duckdb'
    ? (await import('./duckdb-side.ts')).duckdbSide(folder)
    : (await import('./embedded-side.ts')).embeddedSide(folder);

const run = async (request: Request): Promise<{ ms?: number; text?: string }> => {
  switch (request.kind) {
    case 'load':
      return { ms: await side.load(request.count) };
    case 'open':
      return (await side.open(), {});
    case 'run':
      return { text: await side.run(request.query) };
    case 'upsert':
      return (await side.upsert(request.position, request.edition), {});
    case 'close':
      return (await side.close(), {});
    case 'memory':
      return {};
  }
};

const reply = async (request: Request): Promise<Reply> => {
  const startedMs = performance.now();
  const { ms, text = '' } = await run(request);
  return {
    ms: ms ?? performance.now() - startedMs,
    hash: text && createHash('sha256').update(text).digest('hex'),
    residentMebibytes: process.memoryUsage.rss() / 1024 / 1024,
  };
};

process.on('message', (request: Request) => {
  void reply(request).then((answer) => {
    process.send!(answer);
    if (request.kind === 'close') process.disconnect();
  });
});
