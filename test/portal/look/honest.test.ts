import test from 'ava';
import { de } from '../../../portal/src/i18n/de.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { fr } from '../../../portal/src/i18n/fr.ts';
import {
  canBeChosen,
  coverageOfAll,
  coverageOfTotal,
  missingBucket,
  narrowCountText,
  shownRecords,
  stateText,
  whyEmpty,
} from '../../../portal/src/look/honest.ts';
import type { NodePart } from '../../../portal/src/api/answer.ts';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { CoverageState } from '../../../src/search/node-states.ts';

const facet = (...states: CoverageState[]) => ({
  coverage: states.map((state, at) => ({ nodeId: `n${at}`, state, docs: 0 })),
});

test('an empty facet shows why it is empty', (t) => {
  t.is(whyEmpty({ coverage: null }), 'none');
  t.is(whyEmpty(facet()), 'none');
  t.is(whyEmpty(facet('failed', 'answered')), 'none');
  t.is(whyEmpty(facet('notCovered', 'withheld', 'failed')), 'failed');
  t.is(whyEmpty(facet('notCovered', 'withheld')), 'withheld');
  t.is(whyEmpty(facet('excluded', 'notCovered')), 'notCovered');
  t.is(whyEmpty(facet('excluded')), 'excluded');
});

test('what keeps an institution out of one of several answers keeps it out of all', (t) => {
  t.is(coverageOfAll([null, undefined]), null);
  const covered = coverageOfAll([
    facet('answered', 'answered', 'answered').coverage,
    undefined,
    facet('answered', 'failed', 'notCovered').coverage,
    facet('excluded', 'notCovered', 'answered').coverage,
  ]);
  t.deepEqual(
    covered?.map(({ state }) => state),
    ['excluded', 'failed', 'notCovered'],
  );
});

test('a total is covered by those who are in it', (t) => {
  const node = (
    state: string,
    hits: number | null,
    disclosure: object | null = null,
    decides = false,
    errors = '',
  ) => ({ nodeId: state, state, hits, disclosure, lack: { decides }, errors }) as unknown as NodePart;
  const nodes = [
    node('ok', 5),
    node('failing', 1),
    node('timeout', null),
    node('excluded', null),
    node('ok', null, {}),
    node('ok', 5, null, true),
    node('ok', 5, null, false, '1 of its 2 institutions did not answer'),
  ];
  const network = { source: { kind: 'network' } } as Catalogue;
  t.deepEqual(
    coverageOfTotal({ nodes }, network)?.map(({ state }) => state),
    ['answered', 'answered', 'failed', 'excluded', 'withheld', 'unfiltered', 'incomplete'],
  );
  t.is(coverageOfTotal({ nodes }, { source: { kind: 'catalogue' } } as Catalogue), null);
});

test('a range has two numbers where words have no room', (t) => {
  const range = (count: number, upper: number) => narrowCountText({ count, upper }, String);
  t.deepEqual([range(3, 3), range(3, 10), range(3, Infinity)], ['3', '3–10', '≥ 3']);
});

test('a state is written in words, and an unknown one by the server’s name', (t) => {
  t.is(stateText('badResponse', en), 'invalid response');
  t.is(stateText('brandNew', en), 'brandNew');
});

test('one institution of several is one', (t) => {
  t.is(fr.coveredBy(1, 3), '1 institution sur 3');
  t.is(fr.coveredBy(2, 3), '2 institutions sur 3');
  t.is(fr.fromSome(1, 3), 'de 1 institution sur 3');
});

test('what an invited node proposes is shown in numbers, in every language', (t) => {
  t.is(en.waits(1, 2, 'today'), 'Awaiting approval; proposes 1 field and 2 values. Last contact today.');
  t.is(
    de.waits(2, 1, 'heute'),
    'Wartet auf Freigabe; schlägt 2 Felder und 1 Wert vor. Letzter Kontakt: heute.',
  );
  t.regex(fr.waits(2, 3, 'hier'), /propose 2 champs et 3 valeurs/);
});

test('records are those of the institutions that show theirs', (t) => {
  const node = { name: '', lack: { names: [], decides: false } };
  const nodes = [
    { ...node, nodeId: 'open', hits: 4, disclosure: null },
    { ...node, nodeId: 'guarded', hits: 6, disclosure: { tier: 'counts' } },
    { ...node, nodeId: 'silent', hits: null, disclosure: { tier: 'counts' } },
  ] as unknown as readonly NodePart[];
  t.is(shownRecords({ total: 10, nodes }), 4);
  t.is(shownRecords({ total: null, nodes }), null);
});

test('the rest of the values can be chosen only where its count is exact', (t) => {
  const rest = { key: '__other__', label: null, count: 3, upper: 3, estimate: null, nodes: null };
  t.true(canBeChosen(rest));
  t.false(canBeChosen({ ...rest, upper: 4 }));
  t.false(canBeChosen({ ...rest, estimate: 3 }));
  t.true(canBeChosen({ ...rest, key: 'a', upper: 4 }));
});

test('how many have no value is not known where nobody has answered', (t) => {
  const node = (state: string, hits: number | null) => ({ nodeId: 'n', state, hits }) as unknown as NodePart;
  const of = (total: number | null, partial: boolean, ...nodes: NodePart[]) =>
    missingBucket({ total, upper: total ?? 0, partial, estimate: null, nodes });
  const [away, answered] = [node('unreachable', null), node('ok', 0)];
  t.is(of(0, true, away), null);
  t.is(of(null, false, answered), null);
  t.like(of(0, true, away, answered), { key: '__missing__', count: 0, upper: Infinity });
  t.like(of(0, false, answered), { count: 0, upper: 0 });
});
