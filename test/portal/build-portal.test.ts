import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { chunkCycle } from '../../scripts/chunk-cycle.ts';

const cycleIn = (imports: Readonly<Record<string, readonly string[]>>) =>
  chunkCycle(new Map(Object.entries(imports)));

test('chunks that import each other in a circle are found by the shortest one, diamonds are none', (t) => {
  t.is(cycleIn({ index: ['page', 'shared', 'react'], page: ['shared'], shared: ['react'], react: [] }), null);
  t.deepEqual(
    cycleIn({
      index: ['page', 'shared'],
      page: ['shared'],
      shared: ['fold', 'trouble'],
      fold: ['trouble'],
      trouble: ['shared'],
    }),
    ['shared', 'trouble', 'shared'],
  );
  t.deepEqual(cycleIn({ page: ['page'] }), ['page', 'page']);
});

test('the layer of the image that installs packages has every script that preparing them runs', (t) => {
  const root = join(import.meta.dirname, '../..');
  const [, copied = ''] = /^COPY (scripts\/.*) \.\/scripts\/$/m.exec(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
  )!;
  const waiting = ['scripts/build-portal.js'];
  for (const script of waiting)
    for (const [, name] of readFileSync(join(root, script), 'utf8').matchAll(
      /^import .* from '\.\/(.*)';$/gm,
    ))
      waiting.push(`scripts/${name}`);
  t.deepEqual(copied.split(' ').sort(), [...new Set(waiting)].sort());
});
