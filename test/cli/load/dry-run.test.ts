import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../temporary-configs.ts';
import { loadIn } from './load-in.ts';

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Fields of a mapping, and values of which the engine refuses some. */
const refused: Readonly<Record<string, readonly [mapping: string, lines: readonly string[]]>> = {
  'a field that a strict mapping does not have': [
    '{"dynamic":"strict","properties":{"t":{"type":"keyword"}}}',
    ['{"t":"a"}', '{"u":"b"}'],
  ],
  'an object in a keyword': ['{"properties":{"t":{"type":"keyword"}}}', ['{"t":{"a":1}}', '{"t":"b"}']],
  'a value where the mapping has an object': [
    '{"properties":{"t":{"properties":{"a":{"type":"long"}}}}}',
    ['{"t":{"a":1}}', '{"t":"b"}'],
  ],
  'a value that a multi-field does not hold': [
    '{"properties":{"t":{"type":"keyword","fields":{"n":{"type":"long"}}}}}',
    ['{"t":"5"}', '{"t":"b"}'],
  ],
  'a value that is copied to another field': [
    '{"properties":{"n":{"type":"long"},"t":{"type":"keyword","copy_to":"n"}}}',
    ['{"t":"5"}', '{"t":"b"}'],
  ],
  'a text in a number without coercion': [
    '{"properties":{"t":{"type":"long","coerce":false}}}',
    ['{"t":5}', '{"t":"5"}'],
  ],
  'dates of an unknown format': [
    '{"properties":{"t":{"type":"date","format":"xxxx"}}}',
    ['{"t":"a"}', '{"t":"b"}'],
  ],
  'too many levels': ['{"properties":{"t":{"type":"keyword"}}}', ['{"t":"a"}', `{"u":${nested(3_000)}}`]],
};

const counts = (output: string): string | undefined => {
  const trial = /: (\d+) documents? could be loaded.*, (\d+) records? would be rejected/.exec(output);
  const load = /loaded (\d+) documents? .*, (\d+) rejected/.exec(output);
  return (trial ?? load)?.slice(1).join(' and ');
};

for (const [what, [mapping, lines]] of Object.entries(refused))
  test.serial(
    `a dry run refuses what the engine refuses, in a new catalogue and in one that exists: ${what}`,
    async (t) => {
      const folder = temporaryFolder({});
      const text = (first: number): string =>
        lines.map((line, at) => `{"id":"${String(first + at)}",${line.slice(1)}\n`).join('');
      await writeFile(
        join(folder, 'mapping.json'),
        mapping.replace('"properties":{', '"properties":{"id":{"type":"keyword"},'),
      );
      await writeFile(join(folder, 'a.ndjson'), `{"id":"0"}\n${text(1)}`);
      await writeFile(join(folder, 'b.ndjson'), `{"id":"0"}\n${text(3)}`);
      for (const [file, ...options] of [
        ['a.ndjson', '--mapping', 'mapping.json'],
        ['b.ndjson'],
        ['b.ndjson', '--replace', '--mapping', 'mapping.json'],
      ] as const) {
        const command = [file, '--catalogue', 'ships', ...options];
        const trial = await loadIn(folder, [...command, '--dry-run']);
        const load = await loadIn(folder, command);
        t.is(trial.code, load.code, trial.output + load.output);
        t.not(load.code, 0);
        t.truthy(counts(load.output));
        t.is(counts(trial.output), counts(load.output));
      }
    },
  );

test.serial('a dry run ends as the load does where the mapping changes a type', async (t) => {
  const folder = temporaryFolder({});
  await writeFile(join(folder, 'a.ndjson'), '{"id":"1","t":"a"}\n');
  await writeFile(join(folder, 'mapping.json'), '{"properties":{"t":{"type":"long"}}}');
  t.is((await loadIn(folder, ['a.ndjson', '--catalogue', 'ships'])).code, 0);
  const command = ['a.ndjson', '--catalogue', 'ships', '--mapping', 'mapping.json'];
  for (const argv of [[...command, '--dry-run'], command]) {
    const { code, output } = await loadIn(folder, argv);
    t.is(code, 1);
    t.regex(output, /field t has type "keyword", which cannot become "long"/);
  }
});
