import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { pino } from 'pino';
import { defaultSettings } from '../../http/running-app.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, get, graphql, send } from './doors.ts';

const counting =
  '{ donor { hits(first: 0, filters: {op: "in", content: {fieldName: "sex", value: ["male"]}}) { total upper_bound } } }';

for (const logRequests of [true, false])
  test(`each request is a line at ${logRequests ? 'info' : 'debug'}, without filters and values`, async (t) => {
    const lines: string[] = [];
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(...String(chunk).trim().split('\n'));
        done();
      },
    });
    const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine(), {
      log: pino({ level: 'debug' }, output),
      settings: { ...defaultSettings, logRequests },
    });
    await (await send(url, graphql('/cohort/graphql', counting, 'open'))).text();
    await (await send(url, get(defaultSettings.pingPath, 'open'))).text();
    for (let waited = 0; lines.length < 2 && waited < 200; waited += 1) await sleep(10);
    const [asked, probe] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    t.like(asked, {
      ...{
        level: logRequests ? 30 : 20,
        msg: 'request',
        method: 'POST',
        path: '/cohort/graphql',
        status: 200,
      },
      ...{ catalogue: 'cohort', questions: 1, kind: 'count', state: 'ok', rows: 0 },
    });
    for (const key of ['requestId', 'tookMs', 'searchMs', 'bytes', 'filterSize']) t.true(key in asked!, key);
    t.notRegex(lines[0]!, /male|sex|donor_id/);
    t.like(probe, { level: 20, path: defaultSettings.pingPath });
  });
