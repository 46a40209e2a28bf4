import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { servedEngine, serveCatalogue } from '../../../src/server/node/serve-catalogue.ts';
import type { Catalogue, CatalogueGuard } from '../../../src/search/catalogue.ts';
import { plainQuery, type CatalogueResult, type SearchFn } from '../../../src/search/query.ts';
import {
  RequestContext,
  Trace,
  type AuditedQuestion,
  type Caller,
} from '../../../src/search/request-context.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { cohortDisclosure, cohortStatement } from '../../capabilities/disclosure/cohort.ts';
import { contextFor } from '../../search/request-context.ts';

/** A catalogue of one record behind a guard that notes who gets there. */
const served = (disclosed: string[], refuses = false): Catalogue => {
  const search: SearchFn = async (query, context) => {
    disclosed.push('disclosure');
    if (refuses) throw new TributaryError('FORBIDDEN', 'nothing is open to this caller');
    return searchOf([{ id: 'a' }])(query, context);
  };
  const guard: CatalogueGuard = {
    guard: (catalogue) => ({
      ...catalogue,
      search,
      substitute: { ...catalogue, search, disclosure: cohortStatement },
    }),
    ...{ addReader: () => undefined, use: () => undefined, watch: () => null, isCurrent: () => true },
  };
  return serveCatalogue(guard).guard(catalogueOf('tree', fieldsOf({ id: 'keyword' }), search));
};

/** Searches as a caller, and returns what was audited. */
const audited = async (catalogue: Catalogue, caller: Partial<Caller> = {}) => {
  const questions: AuditedQuestion[] = [];
  const context = new RequestContext({
    requestId: 'one',
    caller: { ...contextFor({}).caller, ...caller },
    trace: new Trace(),
    observer: {
      hasLeft: () => false,
      onQuestion: (question) => void questions.push(question),
      onSearched: () => undefined,
    },
  });
  const answer: CatalogueResult | string = await catalogue
    .search(plainQuery, context)
    .catch((error: TributaryError) => error.code);
  return { answer, states: questions.map(({ catalogueId, state }) => `${catalogueId} ${state}`) };
};

const refusing: Partial<Caller> = {
  accessFilter: () => {
    throw new TributaryError('UNAUTHENTICATED', 'a bearer token is needed');
  },
};

test('a caller without access is refused before any tier is looked up, and that is audited', async (t) => {
  const disclosed: string[] = [];
  const catalogue = served(disclosed);
  for (const one of [catalogue, catalogue.substitute!])
    t.deepEqual(await audited(one, refusing), {
      answer: 'UNAUTHENTICATED',
      states: ['tree UNAUTHENTICATED'],
    });
  t.deepEqual(disclosed, []);
});

test('what disclosure refuses and what it answers is audited once', async (t) => {
  const disclosed: string[] = [];
  t.deepEqual(await audited(served(disclosed, true)), { answer: 'FORBIDDEN', states: ['tree FORBIDDEN'] });
  t.deepEqual((await audited(served(disclosed))).states, ['tree ok']);
  t.deepEqual(disclosed, ['disclosure', 'disclosure']);
});

test('without disclosure, a caller or a catalogue with a tier is refused', async (t) => {
  const open = catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }]));
  const { guard } = serveCatalogue();
  t.deepEqual((await audited(guard(open))).states, ['tree ok']);
  for (const tier of ['counts', 'boolean', 'none'] as const)
    t.is((await audited(guard(open), { tierOf: () => tier })).answer, 'FORBIDDEN');
  const withholding = { ...open, config: { ...open.config, disclosure: cohortDisclosure } };
  t.throws(() => guard(withholding), {
    message: 'disclosure.json needs the capability disclosure, which this server does not have',
  });
});

test('a search that is refused for its price is not measured', async (t) => {
  const measured: string[] = [];
  const engine = servedEngine(scriptedEngine({}), {
    measured: (bare) => ({
      ...bare,
      search: async (...search) => {
        measured.push('measured');
        return bare.search(...search);
      },
    }),
  });
  await engine.describe('trees');
  const allowance = {
    admit: () => {
      throw new TributaryError('BAD_USER_INPUT', 'too expensive');
    },
    takeTurn: async () => Promise.reject(new Error('not admitted')),
    get paged() {
      return this;
    },
  };
  await t.throwsAsync(engine.search('trees', { facets: [] }, { allowance }), { message: 'too expensive' });
  t.deepEqual(measured, []);
});
