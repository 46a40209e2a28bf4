import test from 'ava';
import { lookProblems } from '../../../src/server/config/look-names.ts';

const names = {
  fields: new Set(['sex', 'vital_status', 'donor.tags', 'age']),
  sources: ['network', 'donors'],
};

test('what portal.json names is there, or named with the nearest name', (t) => {
  const look = {
    source: 'donor',
    charts: ['sex', 'vital_stauts'],
    timeline: 'agee',
    hiddenFacets: ['donor__tags'],
    facetGroups: [{ name: 'A', facets: ['age', 'sexx'] }],
    fieldNames: { sx: 'Sex' },
    questions: [
      {
        text: 'Q',
        filters: [
          { op: 'and', content: [{ op: 'in', content: { fieldName: 'donor__tags', value: ['a'] } }] },
          { op: 'in', content: { fieldName: 'donor.tag', value: ['a'] } },
        ],
      },
    ],
  };
  t.deepEqual(lookProblems(look, names), [
    'portal.json, charts[1]: there is no field "vital_stauts": did you mean "vital_status"?',
    'portal.json, timeline: there is no field "agee": did you mean "age"?',
    'portal.json, hiddenFacets[0]: there is no field "donor__tags": did you mean "donor.tags"?',
    'portal.json, facetGroups[0].facets[1]: there is no field "sexx": did you mean "sex"?',
    'portal.json, fieldNames.sx: there is no field "sx": did you mean "sex"?',
    'portal.json, questions[0].filters[1].content.fieldName: there is no field "donor.tag": did you mean "donor.tags"?',
    'portal.json, source: there is no catalogue or network "donor": did you mean "donors"?',
  ]);
  t.deepEqual(lookProblems({ charts: ['sex'], source: 'network' }, names), []);
  t.deepEqual(lookProblems({}, names), []);
});
