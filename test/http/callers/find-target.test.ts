import test from 'ava';
import { TributaryError } from '../../../src/errors/errors.ts';
import { findCatalogue, onlyCatalogue } from '../../../src/http/callers/find-target.ts';
import type { CatalogueState } from '../../../src/search/catalogue.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';

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

test('an id is found whatever its case, and before a document type', (t) => {
  const states = [odd, north, maps];
  t.deepEqual(findCatalogue(states, 'NORTH'), { kind: 'found', state: north });
  t.deepEqual(findCatalogue(states, 'atlas'), { kind: 'found', state: maps });
});

test('a document type names its catalogue unless several have it', (t) => {
  t.deepEqual(findCatalogue([north, maps], 'Map'), { kind: 'found', state: maps });
  t.deepEqual(findCatalogue([south, north], 'book'), {
    kind: 'ambiguous',
    documentType: 'book',
    catalogueIds: ['North', 'south'],
  });
});

test('nothing else is found, the empty name of a catalogue without document type included', (t) => {
  t.deepEqual(findCatalogue([north, nameless], ''), { kind: 'unknown' });
  t.deepEqual(findCatalogue([north, nameless], 'nope'), { kind: 'unknown' });
});

test('the single layout is exactly one catalogue', (t) => {
  t.is(onlyCatalogue([north]), north);
  t.is(onlyCatalogue([]), null);
  t.is(onlyCatalogue([north, south]), null);
});
