import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { formerKey, serverKey, thumbprint } from '../../../src/lib/runtime/server-key.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const log = pino({ level: 'silent' });

test('a key is made once in the data folder, for its owner only, and nothing else is left there', (t) => {
  const folder = join(temporaryFolder(t, {}), 'data');
  const key = serverKey(undefined, folder, log).thumbprint;
  t.regex(key, /^[\w-]{43}$/);
  t.is(serverKey(undefined, folder, log).thumbprint, key);
  t.is(statSync(join(folder, '@server.key')).mode & 0o777, 0o600);
  t.deepEqual(readdirSync(folder), ['@server.key']);
});

// RFC 8037, appendix A.1 and A.3
test('a thumbprint is that of RFC 7638, as RFC 8037 gives it for Ed25519', (t) => {
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  t.is(thumbprint(key), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('a key that cannot be read is reported, and replaced for the life of the process only', (t) => {
  const folder = temporaryFolder(t, {});
  writeFileSync(join(folder, '@server.key'), 'half a k');
  let warned = '';
  const capturing = pino({ level: 'warn' }, { write: (line: string) => void (warned += line) });
  t.regex(serverKey(undefined, folder, capturing).thumbprint, /^[\w-]{43}$/);
  t.regex(warned, /@server\.key, cannot be stored or read/);
});

test('the configured key is the secret that all others are derived from, each by its label', (t) => {
  const pem = (type: 'ed25519' | 'x25519') =>
    String(generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const folder = temporaryFolder(t, {
    'a.pem': pem('ed25519'),
    'b.pem': pem('ed25519'),
    'x.pem': pem('x25519'),
    'three.pem': [1, 2, 3].map(() => pem('ed25519')).join(''),
  });
  const at = (name: string) => serverKey(join(folder, name), folder, log);
  t.deepEqual(at('a.pem').derive('one'), at('a.pem').derive('one'));
  t.is(at('a.pem').derive('one').length, 32);
  const secrets = [at('a.pem').derive('one'), at('a.pem').derive('two'), at('b.pem').derive('one')];
  t.is(new Set(secrets.map(String)).size, 3);
  const signature = sign(null, Buffer.from('line'), at('a.pem').signingKey('one'));
  const signedBy = (key: ReturnType<typeof at>, label: string) =>
    verify(null, Buffer.from('line'), createPublicKey(key.signingKey(label)), signature);
  t.true(signedBy(at('a.pem'), 'one'));
  t.false(signedBy(at('a.pem'), 'two'));
  t.false(signedBy(at('b.pem'), 'one'));
  // it is never made, nor replaced by another one
  for (const name of ['none.pem', 'x.pem', 'three.pem'])
    t.throws(() => at(name), {
      message: /SERVER_KEY_PATH names ".*", which does not hold a private Ed25519 key/,
    });
  t.deepEqual(readdirSync(folder).sort(), ['a.pem', 'b.pem', 'three.pem', 'x.pem']);
});

test('the former key follows the present one in its file', (t) => {
  const [next, former] = [1, 2].map(() =>
    String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
  );
  const folder = temporaryFolder(t, {
    'next.pem': next,
    'former.pem': former,
    'both.pem': `${next!}\r\n${former!}\n`,
  });
  const at = (name: string) => join(folder, name);
  t.is(serverKey(at('both.pem'), folder, log).thumbprint, serverKey(at('next.pem'), folder, log).thumbprint);
  t.is(formerKey(at('both.pem'))?.thumbprint, serverKey(at('former.pem'), folder, log).thumbprint);
  t.is(formerKey(at('next.pem')), null);
  t.is(formerKey(undefined), null);
});
