import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { releasedStates } from '../../../src/server/node/open-server.ts';
import type { Catalogue, CatalogueState } from '../../../src/search/catalogue.ts';
import { cohortStatement } from '../../capabilities/disclosure/cohort.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';

test('networks see what is released of a guarded catalogue, also while its engine is away', (t) => {
  const substitute = {
    ...catalogueOf('tree', fieldsOf({ genus: 'keyword' }), searchOf([])),
    disclosure: cohortStatement,
  };
  const whole: Catalogue = {
    ...catalogueOf('tree', fieldsOf({ finder: 'keyword' }), searchOf([])),
    substitute,
  };
  const { config } = whole;
  const states: Readonly<Record<string, CatalogueState>> = {
    there: { status: 'available', config, catalogue: whole },
    away: { status: 'failed', config, error: new TributaryError('connection_error', 'refused'), last: whole },
    open: { status: 'available', config, catalogue: substitute },
  };
  const seen = releasedStates((id) => states[id]);
  t.like(seen('there'), { status: 'available', catalogue: substitute });
  t.like(seen('away'), { status: 'failed', last: substitute });
  t.deepEqual([seen('open'), seen('none')], [states['open'], undefined]);
});
