import test from 'ava';
import type { Config } from '../../../src/server/config/config.ts';
import { standard } from '../../../src/standard.ts';
import { requireDisclosureRules } from '../../../src/server/node/anonymous-caller.ts';
import { cohortDisclosure } from '../../capabilities/disclosure/cohort.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';

const guarded = bookConfig({ catalogueId: 'cohort', disclosure: cohortDisclosure });
const open = bookConfig({ catalogueId: 'open' });
const accessWith = (cohort: unknown) => ({
  content: { token: { algorithms: ['ES256'] }, catalogues: { cohort, open: { public: 'everything' } } },
  file: 'access.json',
  keys: { kind: 'jwks', url: 'http://127.0.0.1/' },
});
const named = { public: { filter: 'everything', disclosure: 'counts' } };

const required = (host: string | undefined, access: unknown, catalogues = [guarded, open]) =>
  requireDisclosureRules({ server: { host }, access, catalogues } as unknown as Config, standard);

test('a guarded catalogue that others can reach needs an access file that names a tier for it', (t) => {
  for (const host of [undefined, '0.0.0.0', '::', '192.168.0.7', '127.0.0.1.example.org']) {
    t.throws(() => required(host, null), { message: /cohort is guarded .* ACCESS_FILTER_PATH is not set/ });
    const unnamed = accessWith({ public: 'everything' });
    t.throws(() => required(host, unnamed), { message: /access\.json names none for it/ });
    t.notThrows(() => required(host, accessWith(named)));
    t.notThrows(() => required(host, null, [open]));
  }
  for (const host of ['127.0.0.1', 'localhost', '::1']) t.notThrows(() => required(host, null));
});
