import test from 'ava';
import { portalOptions } from '../../../src/cli/portal/portal.ts';

test('build takes a folder and an address, whose slash at the end does not matter', (t) => {
  const expected = { out: 'site', api: 'https://x.example/search/' };
  t.deepEqual(portalOptions(['build', '--out', 'site', '--api', 'https://x.example/search']), expected);
  t.deepEqual(portalOptions(['build', '--out', 'site', '--api', 'https://x.example/search//']), expected);
});

test('preview takes an address and a port', (t) => {
  t.deepEqual(portalOptions(['preview', '--api', 'http://x.example']), { api: 'http://x.example/', port: 0 });
  t.deepEqual(portalOptions(['preview', '--api', 'http://x.example', '--port', '8080']), {
    api: 'http://x.example/',
    port: 8080,
  });
});

test('a wrong command line is an error that names what is missing', (t) => {
  t.throws(() => portalOptions([]), { message: 'say what to do: build or preview' });
  t.throws(() => portalOptions(['serve']), {
    message: 'there is no portal serve: build or preview expected',
  });
  t.throws(() => portalOptions(['build', '--port', '1']), {
    message: '--port is not an option of portal build',
  });
  t.throws(() => portalOptions(['preview', '--out', 'x']), {
    message: '--out is not an option of portal preview',
  });
  t.throws(() => portalOptions(['preview', '--api', 'http://x', '--port', '99999']), {
    message: '--port "99999" is not a port: 0 to 65535 expected',
  });
  t.throws(() => portalOptions(['build', '--api', 'https://x']), { message: 'give --out DIR' });
  t.throws(() => portalOptions(['build', '--out', 'x']), { message: 'give --api URL' });
  t.throws(() => portalOptions(['build', '--out', 'x', '--api', 'ftp://x']), {
    message: '--api "ftp://x" is not an http or https URL',
  });
});
