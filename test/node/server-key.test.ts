import { createPrivateKey } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { serverKey, thumbprint } from '../../src/node/server-key.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';

const log = pino({ level: 'silent' });

test('a key is made once in the data folder, for its owner only, and nothing else is left there', (t) => {
  const folder = join(temporaryFolder(t, {}), 'data');
  const key = serverKey(folder, log);
  t.regex(key, /^[\w-]{43}$/);
  t.is(serverKey(folder, log), key);
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

test('a key that cannot be read is told, and replaced for the life of the process only', (t) => {
  const folder = temporaryFolder(t, {});
  writeFileSync(join(folder, '@server.key'), 'half a k');
  let warned = '';
  const telling = pino({ level: 'warn' }, { write: (line: string) => void (warned += line) });
  t.regex(serverKey(folder, telling), /^[\w-]{43}$/);
  t.regex(warned, /@server\.key, cannot be stored or read/);
});
