import test from 'ava';
import { createAppRouter } from '../../../../src/server/http/app.ts';
import { folderWithRelease, nodeKinds, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, doors, everyRoute, secret, send } from './doors.ts';

test('every route is a door that is known here', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const { parts } = await serveRelease(t, folder, throwingEngine(), everyRoute(t));
  const routes = createAppRouter(parts).stack.flatMap(({ path, methods }) =>
    methods.length > 0 ? [String(path)] : [],
  );
  t.deepEqual(
    [...new Set(routes)].filter((route) => !Object.hasOwn(doors, route)),
    [],
  );
});

for (const node of nodeKinds)
  test(`no door puts a guarded question to the engine, nor shows anything of the records, with a node that ${node}`, async (t) => {
    const engine = throwingEngine(documents.length);
    const folder = await folderWithRelease(t, documents);
    const { url } = await serveRelease(t, folder, engine, { node });
    for (const door of Object.values(doors).flat()) {
      const response = await send(url, door);
      const text = await response.text();
      const headers = JSON.stringify(
        [...response.headers].filter(([name]) => !/^(date|x-request-id|content-length)$/.test(name)),
      );
      t.notRegex(text, secret, `${door.path}: ${text.slice(0, 500)}`);
      t.notRegex(headers, secret, door.path);
      if (door.expected === 'refused')
        t.regex(
          text,
          /NOT_DISCLOSED|not disclosed|counts are lower bounds here/,
          `${door.path}: ${text.slice(0, 500)}`,
        );
    }
    t.is(engine.calls(), 0);
  });

test('how many records there are now leaves by no door', async (t) => {
  const live = 31_337;
  const { url } = await serveRelease(
    t,
    await folderWithRelease(t, documents),
    throwingEngine(live),
    everyRoute(t),
  );
  for (const door of Object.values(doors).flat()) {
    const response = await send(url, door);
    const shown = `${await response.text()} ${JSON.stringify([...response.headers])}`;
    // as a whole number: decimals of metrics may contain the digits
    t.notRegex(shown, /(?<![\d.])31[ ,.]?337(?!\d)/, door.path);
    t.not(response.status, 500, door.path);
  }
});
