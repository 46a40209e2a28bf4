import { parentPort } from 'node:worker_threads';
import { TributaryError } from '../../errors/errors.ts';
import { giveWay } from '../../concurrency/give-way.ts';
import { packJson } from './packed-json.ts';
import type { JsonReply, JsonRequest } from './parse-json.ts';
import { readJson } from './read-json.ts';

// The thread that parses large JSON.

const port = parentPort!;

const reply = async ({ id, source, reading }: JsonRequest): Promise<void> => {
  try {
    const packed = packJson(await readJson(source, reading));
    port.postMessage({ id, packed } satisfies JsonReply, [packed.bytes.buffer]);
  } catch (error) {
    const { name, message } = error as Error;
    const code = error instanceof TributaryError ? error.code : null;
    port.postMessage({ id, failure: { name, message, code } } satisfies JsonReply);
  }
};

giveWay();
// the next request comes after the reply
port.on('message', (request: JsonRequest) => void reply(request));
