import test from 'ava';
import { en } from '../../../portal/src/i18n/en.ts';
import { stateText, whyEmpty } from '../../../portal/src/look/honest.ts';
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
