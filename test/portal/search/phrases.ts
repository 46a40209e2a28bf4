import type { Filter } from '../../../portal/src/api/filter.ts';

/** What somebody types, and the filter that is right; words that remain stand in `words`. */
export interface Phrase {
  readonly typed: string;
  readonly filters: readonly Filter[];
  readonly words?: string;
}

const among = (fieldName: string, ...value: readonly string[]): Filter => ({
  op: 'in',
  content: { fieldName, value },
});
const without = (fieldName: string, ...value: readonly string[]): Filter => ({
  op: 'not-in',
  content: { fieldName, value },
});
const below = (fieldName: string, ...value: readonly string[]): Filter => ({
  op: 'under',
  content: { fieldName, value },
});
const than = (
  fieldName: string,
  op: 'gt' | 'gte' | 'lt' | 'lte' | 'between',
  value: number | string | readonly [number, number] | readonly [string, string],
): Filter => ({ op, content: { fieldName, value } });

const women = among('sex', 'Female');
const men = among('sex', 'Male');
const breast = among('primary_site', 'Breast');
const lung = among('primary_site', 'Lung');

/** Of the sample consortium; written from its values before there was a reader. */
export const ofPatients: readonly Phrase[] = [
  { typed: 'women over 60 breast', filters: [women, than('age', 'gt', 60), breast] },
  {
    typed: 'women over 60 with breast cancer',
    filters: [women, than('age', 'gt', 60), below('diagnosis_code', 'C50')],
  },
  { typed: 'Frauen über 60 Brust', filters: [women, than('age', 'gt', 60), breast] },
  { typed: 'femmes de plus de 60 ans, sein', filters: [women, than('age', 'gt', 60), breast] },
  {
    typed: 'men between 40 and 50 colon',
    filters: [men, than('age', 'between', [40, 50]), among('primary_site', 'Colon')],
  },
  { typed: 'Männer unter 40 Lunge', filters: [men, than('age', 'lt', 40), lung] },
  { typed: 'hommes entre 40 et 50 ans', filters: [men, than('age', 'between', [40, 50])] },
  { typed: 'lung TP53', filters: [lung, among('mutated_genes', 'TP53')] },
  {
    typed: 'deceased lung or colon',
    filters: [among('vital_status', 'Deceased'), among('primary_site', 'Lung', 'Colon')],
  },
  { typed: 'verstorben Hirn', filters: [among('vital_status', 'Deceased'), among('primary_site', 'Brain')] },
  { typed: 'age at least 70', filters: [than('age', 'gte', 70)] },
  { typed: 'Aufnahme seit 2020', filters: [than('enrolled_on', 'gte', '2020-01-01')] },
  {
    typed: 'file size over 10 GB WGS',
    filters: [than('specimens.files.size', 'gt', 10e9), among('specimens.files.strategy', 'WGS')],
  },
  { typed: 'C50', filters: [below('diagnosis_code', 'C50')] },
  { typed: 'survival over 2 years', filters: [than('survival_days', 'gt', 730)] },
];

/** Of the museums: 97 455 works of three collections. */
export const ofWorks: readonly Phrase[] = [
  {
    typed: 'paintings before 1850',
    filters: [among('classification', 'painting', 'paintings'), than('year', 'lt', 1850)],
  },
  {
    typed: 'peintures avant 1850',
    filters: [among('classification', 'painting', 'paintings'), than('year', 'lt', 1850)],
  },
  {
    typed: 'Skulpturen nach 1950',
    filters: [among('classification', 'sculpture'), than('year', 'gt', 1950)],
  },
  { typed: 'height over 2 m', filters: [than('height', 'gt', 2000)] },
  { typed: 'hiroshige ando', filters: [among('artist', 'Hiroshige Andō')] },
];

/** Twenty more, written beside the reader. */
export const morePhrases: { readonly ofPatients: readonly Phrase[]; readonly ofWorks: readonly Phrase[] } = {
  ofPatients: [
    { typed: 'stage IV melanoma', filters: [among('stage', 'IV')], words: 'melanoma' },
    { typed: 'sex: female', filters: [women] },
    { typed: 'lung without TP53', filters: [lung, without('mutated_genes', 'TP53')] },
    { typed: 'poumon sans KRAS', filters: [lung, without('mutated_genes', 'KRAS')] },
    { typed: 'Lunge ohne KRAS', filters: [lung, without('mutated_genes', 'KRAS')] },
    { typed: '60+ breast', filters: [than('age', 'gte', 60), breast] },
    { typed: 'age 40-50', filters: [than('age', 'between', [40, 50])] },
    { typed: 'au moins 70 ans', filters: [than('age', 'gte', 70)] },
    { typed: 'höchstens 12 Jahre', filters: [than('age', 'lte', 12)] },
    { typed: 'zwischen 40 und 50 Jahren', filters: [than('age', 'between', [40, 50])] },
    { typed: 'breast or TP53', filters: [{ op: 'or', content: [breast, among('mutated_genes', 'TP53')] }] },
    { typed: 'smoking never', filters: [among('smoking', 'Never')] },
    { typed: 'RNA seq', filters: [among('specimens.files.strategy', 'RNA-Seq')] },
    {
      typed: 'enrolment 2015 to 2018',
      filters: [than('enrolled_on', 'between', ['2015-01-01', '2018-12-31'])],
    },
    { typed: '“breast”', filters: [], words: 'breast' },
    { typed: 'bmi > 30,5', filters: [than('bmi', 'gt', 30.5)] },
    // of a second reader of the data
    { typed: 'under 18 not male', filters: [than('age', 'lt', 18), without('sex', 'Male')] },
    { typed: 'ages 40-50', filters: [than('age', 'between', [40, 50])] },
    { typed: 'Brustkrebs bei Frauen', filters: [below('diagnosis_code', 'C50'), women] },
    { typed: "femmes atteintes d'un cancer du sein", filters: [women, below('diagnosis_code', 'C50')] },
    { typed: 'patients de moins de 50 ans', filters: [than('age', 'lt', 50)] },
    {
      typed: 'KRAS and not TP53',
      filters: [among('mutated_genes', 'KRAS'), without('mutated_genes', 'TP53')],
    },
    { typed: 'stages II and III', filters: [among('stage', 'II', 'III')] },
    { typed: 'coverage over 30', filters: [than('runs.mean_coverage', 'gt', 30)] },
    { typed: 'survival of at least 5 years', filters: [than('survival_days', 'gte', 1827)] },
    { typed: 'enrolled before 2015', filters: [than('enrolled_on', 'lte', '2014-12-31')] },
    { typed: 'geboren vor 1960', filters: [than('year_of_birth', 'lt', 1960)] },
    { typed: 'jünger als 18', filters: [than('age', 'lt', 18)] },
    { typed: 'über 18 Monate', filters: [than('age', 'gt', 1)] },
    { typed: 'plus de 65 ans fumeurs', filters: [than('age', 'gt', 65)], words: 'fumeurs' },
    { typed: 'lost to follow up', filters: [among('vital_status', 'Lost to follow-up')] },
    { typed: '“lung” women', filters: [women], words: 'lung' },
    { typed: 'lungs or brains', filters: [among('primary_site', 'Lung', 'Brain')] },
    { typed: "l'estomac", filters: [among('primary_site', 'Stomach')] },
    { typed: 'von 40 bis 50 Jahre alt', filters: [than('age', 'between', [40, 50])] },
    { typed: '60 year old men', filters: [than('age', 'between', [60, 60]), men] },
    { typed: 'over 5 GB', filters: [than('specimens.files.size', 'gt', 5e9)] },
  ],
  ofWorks: [
    {
      typed: 'Joseph Beuys after 1970',
      filters: [among('artist', 'Joseph Beuys'), than('year', 'gt', 1970)],
    },
    {
      typed: '1960s sculpture',
      filters: [than('year', 'between', [1960, 1969]), among('classification', 'sculpture')],
    },
    { typed: 'storm oil on canvas', filters: [among('medium', 'oil on canvas')], words: 'storm' },
    { typed: 'Höhe zwischen 50 und 60 cm', filters: [than('height', 'between', [500, 600])] },
    {
      typed: '1850-1860 watercolour',
      filters: [than('year', 'between', [1850, 1860]), among('classification', 'watercolors')],
    },
    { typed: 'über 1 m', filters: [than('height', 'gt', 1000)] },
    { typed: 'zwischen 40 und 50 cm', filters: [than('height', 'between', [400, 500])] },
    {
      typed: 'Skulpturen aus Bronze',
      filters: [among('classification', 'sculpture'), among('medium', 'Bronze')],
    },
    {
      typed: 'nach 1900 nicht Gemälde',
      filters: [than('year', 'gt', 1900), without('classification', 'painting', 'paintings')],
    },
    {
      typed: 'works by women before 1900',
      filters: [among('gender', 'Female'), than('year', 'lt', 1900)],
    },
    {
      typed: 'prints en 1805',
      filters: [among('classification', 'prints'), than('year', 'between', [1805, 1805])],
    },
  ],
};

/** What no value, name or number is meant by: a search in words, as it was typed. */
export const wordsOnly: {
  readonly ofPatients: readonly string[];
  readonly ofWorks: readonly string[];
} = {
  ofPatients: [
    'melanoma',
    'adenocarcinoma of unknown origin',
    'driver mutation',
    'over the moon',
    '60',
    'I',
    'other',
    'TP99',
    'with and without',
    'precision oncology at heart',
    'brest cancer',
    'squamous cell',
    'healthy',
    'type 2 diabetes',
    'no treatment',
    '30 days mortality',
    '5 year plan',
    'stage 4',
    'Blutkrebs',
    'no patients',
  ],
  ofWorks: [
    'storm',
    'slotted turner',
    'portrait of a lady',
    'The Fighting Temeraire',
    'woman and tambourine',
    'portrait of a man',
    'venice 1819',
    'vue de Paris',
    'Mann mit Hut',
    'over 60',
    'd’après Turner',
    'nach Turner',
    'from 2 to 3',
    '35 mm',
    'St Mark’s',
    'storms by Turner',
  ],
};
