import test from 'ava';
import { portalOptions } from '../../../src/cli/portal/portal.ts';

test('build takes a folder and an address, whose slash at the end does not matter', (t) => {
  const expected = { out: 'site', api: 'https://x.example/search/' };
  t.deepEqual(portalOptions(['build', '--out', 'site', '--api', 'https://x.example/search']), expected);
  t.deepEqual(portalOptions(['build', '--out', 'site', '--api', 'https://x.example/search//']), expected);
});

test('a wrong command line is an error that names what is missing', (t) => {
  t.throws(() => portalOptions([]), { message: 'say what to do: build' });
  t.throws(() => portalOptions(['serve']), { message: 'there is no portal serve: build expected' });
  t.throws(() => portalOptions(['build', '--api', 'https://x']), { message: 'give --out DIR' });
  t.throws(() => portalOptions(['build', '--out', 'x']), { message: 'give --api URL' });
  t.throws(() => portalOptions(['build', '--out', 'x', '--api', 'ftp://x']), {
    message: '--api "ftp://x" is not an http or https URL',
  });
  t.is(portalOptions(['--help']), null);
});
