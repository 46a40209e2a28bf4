import test from 'ava';
import { bibtexOf, risOf } from '../../../portal/src/look/cite.ts';

const cited = {
  title: 'Sex: Female & age 30_40 (50 %) {a}',
  portal: 'Three Cities',
  institutions: [
    { name: 'Confluence, Lyon', count: '1 267' },
    { name: 'Straits', count: null },
  ],
  url: 'https://search.example.org/explore#v1=AVg_%7B',
  day: '2026-11-26',
};

test('BibTeX has the question, the institutions, their counts, the address and the day, with nothing left to TeX', (t) => {
  t.is(
    bibtexOf(cited),
    `@misc{threecities20261126,
  title = {Sex: Female \\& age 30\\_40 (50 \\%) \\{a\\}},
  author = {{Confluence, Lyon} and {Straits}},
  publisher = {Three Cities},
  year = {2026},
  note = {Confluence, Lyon: 1 267},
  url = {https://search.example.org/explore#v1=AVg_\\%7B},
  urldate = {2026-11-26}
}
`,
  );
});

test('RIS has one line for each tag, whatever a title holds', (t) => {
  t.deepEqual(risOf({ ...cited, title: 'Two\r\nER  - lines' }).split('\r\n'), [
    'TY  - DATA',
    'TI  - Two ER - lines',
    'AU  - Confluence, Lyon,',
    'AU  - Straits,',
    'PB  - Three Cities',
    'PY  - 2026',
    'Y2  - 2026/11/26',
    'N1  - Confluence, Lyon: 1 267',
    'UR  - https://search.example.org/explore#v1=AVg_%7B',
    'ER  - ',
    '',
  ]);
});
