import test, { type ExecutionContext } from 'ava';
import type { Field } from '../../../portal/src/api/fields.ts';
import { readWords, vocabularyOf, type Named } from '../../../portal/src/search/read-words.ts';
import { morePhrases, ofPatients, ofWorks, wordsOnly, type Phrase } from './phrases.ts';

type Part = Partial<Field> & { readonly values?: readonly string[] };

const fieldOf = (path: string, { values: _values, ...part }: Part): Field => ({
  ...{ path, name: path, type: 'keyword', kind: 'values', unit: null, description: null },
  ...{ displayValues: {}, nodes: null },
  ...part,
});

const vocabulary = (
  parts: Readonly<Record<string, Part>>,
  synonyms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
  terms: readonly Named[] = [],
) => {
  const fields = Object.entries(parts).map(([path, part]) => fieldOf(path, part));
  const known = fields.flatMap((field) =>
    (parts[field.path]!.values ?? []).map((key): Named => ({ field, key, texts: [key] })),
  );
  return vocabularyOf(fields, synonyms, [...known, ...terms]);
};

const number = { kind: 'numbers', type: 'integer' } as const;
const code: Part = { name: 'ICD-10 code', hierarchy: 'icd10' };

const patients = vocabulary(
  {
    sex: { name: 'Sex', names: { de: 'Geschlecht' }, values: ['Female', 'Male', 'Unknown'] },
    age: { ...number, name: 'Age', names: { fr: 'Âge', de: 'Alter' }, unit: 'year' },
    primary_site: { name: 'Primary site', values: ['Breast', 'Lung', 'Colon', 'Brain', 'Blood', 'Stomach'] },
    diagnosis: { name: 'Diagnosis', values: ['Cutaneous melanoma', 'Lung adenocarcinoma'] },
    diagnosis_code: code,
    mutated_genes: { name: 'Mutated genes', values: ['TP53', 'KRAS'] },
    vital_status: { name: 'Vital status', values: ['Alive', 'Deceased', 'Lost to follow-up'] },
    enrolled_on: { kind: 'dates', type: 'date', name: 'Enrolment', names: { de: 'Aufnahme' } },
    'specimens.files.strategy': { name: 'Experimental strategy', values: ['WGS', 'WXS', 'RNA-Seq'] },
    'specimens.files.size': { ...number, type: 'long', name: 'File size', unit: 'B' },
    stage: { name: 'Stage', values: ['I', 'II', 'III', 'IV', 'Unknown'] },
    smoking: { name: 'Smoking', values: ['Never', 'Former', 'Current', 'Not recorded'] },
    ethnicity: { name: 'Ethnicity', values: ['Chinese', 'Malay', 'Indian', 'Other'] },
    bmi: { ...number, type: 'float', name: 'Body mass index', unit: 'kg/m²' },
    survival_days: { ...number, name: 'Survival or follow-up', unit: 'days' },
    year_of_birth: { ...number, name: 'Year of birth' },
    'runs.mean_coverage': { ...number, type: 'float', name: 'Mean coverage' },
  },
  {
    primary_site: {
      Breast: ['sein', 'Brust'],
      Lung: ['poumon', 'Lunge'],
      Colon: ['côlon', 'Dickdarm'],
      Brain: ['cerveau', 'Hirn', 'Gehirn'],
      Stomach: ['estomac', 'Magen'],
    },
    vital_status: { Deceased: ['dead', 'décédés', 'verstorben'] },
  },
  [
    {
      field: fieldOf('diagnosis_code', code),
      key: 'C50',
      texts: ['C50', 'Cancer of the breast', 'Breast cancer', 'Brustkrebs', 'cancer du sein'],
    },
  ],
);

const works = vocabulary(
  {
    artist: {
      name: 'Artist',
      values: ['Joseph Mallord William Turner', 'Joseph Beuys', 'Hiroshige Andō', 'Paris Bordone'],
    },
    gender: { name: 'Gender of the artist', values: ['Female', 'Male'] },
    classification: {
      name: 'Classification',
      values: ['painting', 'paintings', 'prints', 'sculpture', 'watercolors', 'on paper, print'],
    },
    medium: { name: 'Medium', values: ['oil on canvas', 'Oil paint on canvas', 'Bronze'] },
    units: { name: 'Units', values: ['mm'] },
    'group.type': { name: 'Group type', values: ['Watercolour'] },
    year: { ...number, name: 'Year begun' },
    height: { ...number, type: 'float', name: 'Height', names: { de: 'Höhe' }, unit: 'mm' },
    width: { ...number, type: 'float', name: 'Width', unit: 'mm' },
  },
  {
    classification: {
      painting: ['peinture', 'Gemälde'],
      paintings: ['peinture', 'Gemälde'],
      sculpture: ['Skulptur', 'Skulpturen'],
      watercolors: ['watercolour', 'Aquarell'],
    },
    gender: { Female: ['by women'] },
  },
);

const reads =
  (known: typeof patients, phrases: readonly Phrase[]) =>
  (t: ExecutionContext): void => {
    for (const { typed, filters, words = '' } of phrases) {
      const read = readWords(typed, known);
      t.deepEqual({ typed, filters: read.filters, words: read.words }, { typed, filters, words });
    }
  };

test('phrases about patients, in three languages', reads(patients, ofPatients));
test('phrases about works of art, in three languages', reads(works, ofWorks));
test('further phrases about patients', reads(patients, morePhrases.ofPatients));
test('further phrases about works of art', reads(works, morePhrases.ofWorks));
test('words about patients stay words', (t) => {
  for (const typed of wordsOnly.ofPatients)
    t.deepEqual({ ...readWords(typed, patients), typed }, { filters: [], words: typed, typed });
});
test('words about works of art stay words', (t) => {
  for (const typed of wordsOnly.ofWorks)
    t.deepEqual({ ...readWords(typed, works), typed }, { filters: [], words: typed, typed });
});
