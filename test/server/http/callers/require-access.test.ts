import test from 'ava';
import type { Tier } from '../../../../src/introspection/fields/catalogue-config.ts';
import type { Catalogue, Substitute } from '../../../../src/search/catalogue.ts';
import { viewFor } from '../../../../src/server/http/callers/require-access.ts';
import { carryCaller, type HttpContext } from '../../../../src/server/http/koa/http-context.ts';
import { fullAccess } from '../../../../src/search/request-context.ts';
import { cohortDisclosure, cohortStatement } from '../../../capabilities/disclosure/cohort.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';

const open = catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }]));
const withheld: Catalogue = { ...open, config: { ...open.config, disclosure: cohortDisclosure } };
const released: Substitute = {
  ...withheld,
  disclosure: cohortStatement,
};

/** What a caller of a tier is served for a catalogue, or the code of the refusal. */
const viewOf = async (catalogue: Catalogue, tier: Tier): Promise<Catalogue | string> => {
  const context = {} as HttpContext;
  await carryCaller(() => ({ ...fullAccess, tierOf: () => tier }))(context, async () => undefined);
  return viewFor(context, catalogue).catch((error: { readonly code: string }) => error.code);
};

test('a caller who may not see records is served the release, and nothing where there is none', async (t) => {
  for (const tier of ['counts', 'boolean'] as const) {
    t.is(await viewOf({ ...withheld, substitute: released }, tier), released);
    t.is(await viewOf(released, tier), released);
    t.is(await viewOf(withheld, tier), 'FORBIDDEN');
    t.is(await viewOf(open, tier), 'FORBIDDEN');
  }
  for (const one of [open, withheld, released]) {
    t.is(await viewOf(one, 'none'), 'FORBIDDEN');
    t.is(await viewOf(one, 'records'), one);
  }
});
