import test from 'ava';
import { openCopyEnds } from '../../../src/cli/copy/copy-engines.ts';
import { copyOptions } from '../../../src/cli/copy/copy-options.ts';
import { temporaryFolder } from '../temporary-configs.ts';

const endsOf = async (argv: readonly string[], env: NodeJS.ProcessEnv) => {
  const ends = await openCopyEnds(copyOptions([...argv, '--all'])!, env);
  await ends.close();
  return { from: ends.from, to: ends.to };
};

test('one search server is told by the variables of the node, and its place by none that lets in', async (t) => {
  const { from, to } = await endsOf(['--from', 'elasticsearch', '--to', 'embedded', '--data-path', temporaryFolder()], {
    ...{ ES_HOST: 'https://reader:pass@search.example.org:9200,https://two.example.org', ES_USER: 'reader', ES_PASS: 'pass' },
  }); // prettier-ignore
  t.like(from.settings, { kind: 'elasticsearch', user: 'reader', password: 'pass' });
  t.is(from.place, 'https://search.example.org:9200/,https://two.example.org/');
  t.is(to.settings.kind, 'embedded');
});

test('of two search servers each has its own variables, and no credentials of the other', async (t) => {
  const { from, to } = await endsOf(['--from', 'elasticsearch', '--to', 'opensearch'], {
    ...{ ES_HOST: 'http://old:9200', ES_USER: 'reader', ES_PASS: 'pass' },
    ...{ TO_ES_HOST: 'http://new:9200', TO_ES_API_KEY: 'key' },
  });
  t.like(from.settings, { url: 'http://old:9200', user: 'reader', password: 'pass', apiKey: undefined });
  t.like(to.settings, { kind: 'opensearch', url: 'http://new:9200', user: undefined, apiKey: 'key' });
  t.not(from.engine, to.engine);
});

test('one and the same place is opened once', async (t) => {
  const { from, to } = await endsOf(['--from', 'opensearch', '--to', 'opensearch'], { ES_HOST: 'http://one:9200' }); // prettier-ignore
  t.is(from.engine, to.engine);
});

test('a wrong address names the variable', async (t) => {
  await t.throwsAsync(endsOf(['--from', 'opensearch', '--to', 'embedded'], { ES_HOST: 'one:9200' }), {
    code: 'CONFIG_INVALID',
    message: /ES_HOST/,
  });
});
