import type { JsonObject } from '../../lib/json/json.ts';
import type { CaseMix, Patient } from './patient.ts';
import { dayBetween, patient, rounded, sequencingFile } from './patient.ts';
import type { Random } from './patient.ts';

const mix: CaseMix = {
  'C50.9': 21,
  'C34.1': 13,
  'C34.9': 6,
  'C18.9': 12,
  'C20.9': 4,
  'C61.9': 11,
  'C71.9': 6,
  'C71.6': 4,
  'C43.9': 6,
  'C64.9': 4,
  'C25.9': 4,
  'C56.9': 4,
  'C91.0': 8,
  'C92.0': 4,
  'C40.2': 2,
  'C74.9': 3,
};
const strategies = { WGS: 5, WXS: 3, 'RNA-Seq': 4, 'Targeted-Seq': 2, 'Methylation array': 1 };
const stages = { I: 27, II: 26, III: 21, IV: 17, Unknown: 9 } as const;
const treatments = [
  'Surgery',
  'Chemotherapy',
  'Radiotherapy',
  'Immunotherapy',
  'Targeted therapy',
  'Hormone therapy',
];

/** A donor of the hospital in Toronto: clinical depth, reads in the usual repository vocabulary. */
export const torontoDonor = (random: Random, number: number): JsonObject => {
  const person = patient(random, mix);
  const id = `TOR-${String(number).padStart(6, '0')}`;
  const stage = random.weighted(stages);
  const enrolled = dayBetween(random, 2012, 2025);
  const donor = {
    donor_id: id,
    program: programOf(person, random),
    sex: random.chance(0.01) ? 'Unknown' : person.isWoman ? 'Female' : 'Male',
    ...(random.chance(0.03) ? {} : { age_at_diagnosis: person.age }),
    year_of_birth: Number(enrolled.slice(0, 4)) - person.age,
    primary_site: person.disease.site,
    diagnosis: person.disease.diagnosis,
    diagnosis_code: person.code,
    stage,
    vital_status: person.died ? 'Deceased' : random.chance(0.06) ? 'Lost to follow-up' : 'Alive',
    ...(person.died ? { survival_days: survivalDays(random, stage) } : {}),
    treatments: random.some(treatments, random.integer(0, 3)),
    mutated_genes: person.genes,
    family_history: random.chance(0.14),
    consent: random.weighted({
      'General research use': 64,
      'Health research only': 25,
      'Disease specific': 11,
    }),
    enrolled_on: enrolled,
    clinical_note: noteOf(person, stage),
    specimens: Array.from({ length: random.integer(1, 3) }, (_, position) =>
      specimen(random, `${id}-S${String(position + 1)}`, position === 0, enrolled),
    ),
  };
  // days until the last visit
  return person.died ? donor : { ...donor, survival_days: survivalDays(random, stage) };
};

const programOf = (person: Patient, random: Random): string => {
  if (person.age < 18) return 'Paediatric Oncology';
  if (person.disease.site === 'Lung' && random.chance(0.7)) return 'Lung Screening Follow-up';
  return random.weighted({ 'Precision Oncology': 5, 'Population Cohort': 3, 'Rare Tumours': 1 });
};

const survivalDays = (random: Random, stage: keyof typeof stages): number => {
  const median = { I: 1900, II: 1450, III: 820, IV: 330, Unknown: 900 }[stage];
  return Math.round(median * Math.exp(random.normal(0, 0.5)));
};

const noteOf = (person: Patient, stage: string): string => {
  const genes =
    person.genes.length === 0 ? 'No driver mutation found' : `Mutation in ${person.genes.join(' and ')}`;
  return `${person.disease.diagnosis}, stage ${stage === 'Unknown' ? 'not known' : stage}. ${genes}.`;
};

const specimen = (random: Random, id: string, isTumour: boolean, enrolled: string): JsonObject => {
  const year = Number(enrolled.slice(0, 4));
  return {
    specimen_id: id,
    specimen_type: isTumour ? 'Tumour' : random.weighted({ Normal: 6, Tumour: 3, Metastasis: 1 }),
    tissue: random.weighted({ 'Solid tissue': 60, Blood: 30, Saliva: 6, 'Bone marrow': 4 }),
    preservation: random.weighted({ 'Fresh frozen': 52, FFPE: 38, Fresh: 10 }),
    collected_on: dayBetween(random, year, year + 1),
    ...(isTumour
      ? { tumour_purity: rounded(Math.min(0.98, Math.max(0.1, random.normal(0.6, 0.18))), 2) }
      : {}),
    files: Array.from({ length: random.integer(0, 3) }, (_, position) =>
      file(random, `${id}-F${String(position + 1)}`),
    ),
  };
};

const file = (random: Random, id: string): JsonObject => {
  const { strategy, dataType, format, size, controlled } = sequencingFile(random, strategies);
  return {
    file_id: id,
    file_name: `${id.toLowerCase()}.${format.toLowerCase()}`,
    strategy,
    data_type: dataType,
    format,
    size,
    access: controlled ? 'controlled' : 'open',
  };
};
