import test from 'ava';
import { en } from '../../../portal/src/i18n/en.ts';
import { fr } from '../../../portal/src/i18n/fr.ts';
import { stateText, valueText, whyEmpty } from '../../../portal/src/look/honest.ts';
import type { CoverageState } from '../../../src/search/node-states.ts';

const facet = (...states: CoverageState[]) => ({
  coverage: states.map((state, at) => ({ nodeId: `n${at}`, state, docs: 0 })),
});

test('an empty facet says which kind of nothing it shows', (t) => {
  t.is(whyEmpty({ coverage: null }), 'none');
  t.is(whyEmpty(facet()), 'none');
  t.is(whyEmpty(facet('failed', 'answered')), 'none');
  t.is(whyEmpty(facet('notCovered', 'withheld', 'failed')), 'failed');
  t.is(whyEmpty(facet('notCovered', 'withheld')), 'withheld');
  t.is(whyEmpty(facet('excluded', 'notCovered')), 'notCovered');
  t.is(whyEmpty(facet('excluded')), 'excluded');
});

test('a state is said in words, and one that is not known as the server calls it', (t) => {
  t.is(stateText('badResponse', en), 'sent an unusable answer');
  t.is(stateText('brandNew', en), 'brandNew');
});

test('a value has its label, and no value and other values are said in words', (t) => {
  t.is(valueText({ key: 'C50.9', label: 'Breast' }, en), 'Breast');
  t.is(valueText({ key: 'C50.9', label: null }, en), 'C50.9');
  t.is(valueText({ key: '__missing__' }, fr), 'Sans valeur');
  t.is(valueText({ key: '__other__' }, fr), 'Autres valeurs');
});

test('one institution of several is one', (t) => {
  t.is(fr.coveredBy(1, 3), '1 institution sur 3');
  t.is(fr.coveredBy(2, 3), '2 institutions sur 3');
  t.is(fr.fromSome(1, 3), 'de 1 institution sur 3');
});
