/** The filter language by example; each key has a sentence in every language. */
export const examples = [
  { key: 'values', filter: { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } },
  { key: 'missing', filter: { op: 'in', content: { fieldName: 'stage', value: ['__missing__'] } } },
  { key: 'range', filter: { op: 'between', content: { fieldName: 'age', value: [40, 60] } } },
  {
    key: 'words',
    filter: { op: 'search', content: { fieldNames: ['diagnosis', 'clinical_note'], value: 'lung aden' } },
  },
  {
    key: 'group',
    filter: {
      op: 'and',
      content: [
        { op: 'in', content: { fieldName: 'primary_site', value: ['Lung', 'Breast'] } },
        { op: 'not', content: [{ op: 'in', content: { fieldName: 'vital_status', value: ['Deceased'] } }] },
      ],
    },
  },
] as const;
