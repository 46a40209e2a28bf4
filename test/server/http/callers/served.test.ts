import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { findServed, servedBy, type Served } from '../../../../src/server/http/callers/served.ts';
import type { CatalogueState } from '../../../../src/search/catalogue.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { defaultSettings } from '../running-app.ts';

const state = (catalogueId: string, documentType: string): CatalogueState => ({
  status: 'failed',
  config: bookConfig({ catalogueId, documentType }),
  error: new TributaryError('unknown_error', 'not tried'),
});
const north = state('North', 'book');
const south = state('south', 'book');
const maps = state('atlas', 'map');
/** A document type that is another catalogue's id. */
const odd = state('odd', 'atlas');
const nameless = state('nameless', '');

const served = (...states: readonly CatalogueState[]): readonly Served[] =>
  servedBy({
    registry: { states: () => states },
    ...{ networks: new Map(), settings: defaultSettings },
  });

/** The id that a name leads to, or why it leads nowhere. */
const idAt = (all: readonly Served[], name: string | null): unknown => {
  const found = findServed(all, { name, isNetwork: false });
  return found.kind === 'found' ? found.served.id : found;
};

test('an id is found whatever its case, and before a document type', (t) => {
  const all = served(odd, north, maps);
  t.is(idAt(all, 'NORTH'), 'North');
  t.is(idAt(all, 'atlas'), 'atlas');
});

test('a document type names its catalogue unless several have it', (t) => {
  t.is(idAt(served(north, maps), 'Map'), 'atlas');
  t.deepEqual(idAt(served(south, north), 'book'), {
    kind: 'ambiguous',
    documentType: 'book',
    catalogueIds: ['North', 'south'],
  });
});

test('nothing else is found, the empty name of a catalogue without document type included', (t) => {
  t.deepEqual(idAt(served(north, nameless), ''), { kind: 'unknown' });
  t.deepEqual(idAt(served(north, nameless), 'nope'), { kind: 'unknown' });
});

test('the single layout is exactly one catalogue', (t) => {
  t.is(idAt(served(north), null), 'North');
  t.deepEqual(idAt(served(), null), { kind: 'unknown' });
  t.deepEqual(idAt(served(north, south), null), { kind: 'unknown' });
});
