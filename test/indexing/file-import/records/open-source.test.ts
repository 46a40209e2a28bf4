import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { openSource } from '../../../../src/indexing/file-import/records/open-source.ts';
import { settledBy } from '../../../../src/indexing/file-import/tables/question.ts';
import { collect } from '../collect.ts';

const stored = async (name: string, bytes: Buffer): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'tributary-')), name);
  await writeFile(file, bytes);
  return file;
};
const nothing = Readable.from([]);
const text = Buffer.from(randomBytes(300_000).toString('hex'));

for (const [what, bytes] of [
  ['a plain file called gz', text],
  ['a gzipped file', gzipSync(text)],
  [
    'several gzipped parts in one file',
    Buffer.concat([gzipSync(text.subarray(0, 9)), gzipSync(text.subarray(9))]),
  ],
] as const)
  test(`${what} gives the plain bytes`, async (t) => {
    const source = await openSource(await stored('data.gz', bytes), nothing);
    t.true(source.head.equals(text.subarray(0, 64 * 1024)));
    t.true(Buffer.concat(await collect(source.chunks)).equals(text));
    t.is(source.size, bytes.length);
    t.is(source.bytesRead(), bytes.length);
  });

test('standard input has no size', async (t) => {
  const source = await openSource('-', Readable.from([gzipSync(Buffer.from('{"a":1}'))]));
  t.is(source.size, null);
  t.is(Buffer.concat(await collect(source.chunks)).toString(), '{"a":1}');
});

test('an encoding is that of texts, not of workbooks and Parquet files', async (t) => {
  for (const [begins, read] of [
    ['gr\xfc', 'grü'],
    ['PK\u0003\u0004\xfc', null],
    ['PAR1\xfc', null],
  ] as const) {
    const bytes = Buffer.from(begins, 'latin1');
    const source = await openSource(await stored('data', bytes), nothing, { encoding: 'windows-1252' });
    t.deepEqual(Buffer.concat(await collect(source.chunks)), read === null ? bytes : Buffer.from(read));
  }
});

test('UTF-32 is named, and not read as UTF-16', async (t) => {
  const wide = Buffer.from('i\0\n\0', 'utf16le');
  for (const text of [
    Buffer.from([0xff, 0xfe, 0, 0, ...wide]),
    Buffer.from([0, 0, 0xfe, 0xff, ...wide.reverse()]),
  ])
    await t.throwsAsync(openSource(await stored('wide.csv', text), nothing), {
      message: /it is UTF-32: save it as UTF-8/,
    });
});

test('UTF-16 is read by its byte order mark; without one, the encoding is a question', async (t) => {
  const table = 'id,name\n1,Ann\n';
  const marked = await openSource(await stored('a.csv', Buffer.from(`\uFEFF${table}`, 'utf16le')), nothing);
  t.is(Buffer.concat(await collect(marked.chunks)).toString(), table);
  for (const [bytes, option] of [
    [Buffer.from(table, 'utf16le'), '--encoding utf-16le'],
    [Buffer.from(table, 'utf16le').swap16(), '--encoding utf-16be'],
  ] as const) {
    const file = await stored('b.csv', bytes);
    const error = await t.throwsAsync(openSource(file, nothing), { message: /seems to be UTF-16 without/ });
    t.is(settledBy(error), option);
    const source = await openSource(file, nothing, { encoding: option.slice('--encoding '.length) });
    t.is(Buffer.concat(await collect(source.chunks)).toString(), table);
  }
});

test('a named pipe has no size, and is not opened a second time', async (t) => {
  const pipe = join(await mkdtemp(join(tmpdir(), 'tributary-')), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [source] = await Promise.all([openSource(pipe, nothing), writeFile(pipe, '{"a":1}')]);
  t.deepEqual([source.size, source.reread], [null, undefined]);
  t.is(Buffer.concat(await collect(source.chunks)).toString(), '{"a":1}');
});

test('a truncated file is an error while it is read', async (t) => {
  const whole = gzipSync(text);
  const file = await stored('cut.gz', whole.subarray(0, whole.length - 5_000));
  const error = await t.throwsAsync(async () => collect((await openSource(file, nothing)).chunks));
  t.regex(error?.message ?? '', /damaged or cut off/);
});

test('a missing file and a folder are refused, naming them', async (t) => {
  await t.throwsAsync(openSource('/no/such/file', nothing), {
    code: 'INPUT_INVALID',
    message: /\/no\/such\/file/,
  });
  await t.throwsAsync(openSource(tmpdir(), nothing), { code: 'INPUT_INVALID', message: /it is a folder/ });
});
