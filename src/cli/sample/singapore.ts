import type { JsonObject } from '../../lib/json/json.ts';
import { dayBetween, patient, rounded, sequencingFile, type CaseMix, type Random } from './patient.ts';

const mix: CaseMix = {
  'C50.9': 14,
  'C34.1': 17,
  'C18.9': 13,
  'C20.9': 7,
  'C61.9': 6,
  'C22.0': 13,
  'C16.9': 9,
  'C11.9': 10,
  'C73.9': 5,
  'C56.9': 3,
  'C92.0': 3,
};
const strategies = { WGS: 6, 'RNA-Seq': 1, 'Methylation array': 3 };

/** A donor of the biobank in Singapore: a third are healthy controls, many specimens, few of them sequenced. */
export const singaporeDonor = (random: Random, number: number): JsonObject => {
  const person = patient(random, mix);
  const id = `SGP${String(1_000_000 + number * 7)}`;
  const isControl = random.chance(0.34);
  const enrolled = dayBetween(random, 2009, 2024);
  return {
    donor_id: id,
    sex: person.isWoman ? 'female' : 'male',
    age_at_enrolment: isControl ? random.integer(30, 80) : person.age,
    ethnicity: random.weighted({ Chinese: 74, Malay: 14, Indian: 9, Other: 3 }),
    bmi: rounded(Math.max(15, random.normal(24.1, 3.9)), 1),
    smoking: random.weighted({ Never: 71, Former: 14, Current: 12, 'Not recorded': 3 }),
    disease_status: isControl ? 'Healthy control' : 'Affected',
    ...(isControl
      ? {}
      : {
          primary_site: person.disease.site,
          diagnosis: person.disease.diagnosis,
          diagnosis_code: person.code,
          mutated_genes: person.genes,
        }),
    vital_status: !isControl && person.died ? 'Deceased' : 'Alive',
    enrolled_on: enrolled,
    specimens: Array.from({ length: random.integer(2, 5) }, (_, position) =>
      specimen(
        random,
        `${id}/${String(position + 1)}`,
        !isControl && position === 0,
        Number(enrolled.slice(0, 4)),
      ),
    ),
  };
};

const specimen = (random: Random, id: string, isTumour: boolean, year: number): JsonObject => {
  const material = isTumour ? 'Tissue' : random.weighted({ Plasma: 4, 'Buffy coat': 4, Serum: 2, Urine: 1 });
  const isSequenced = isTumour ? random.chance(0.7) : material === 'Buffy coat' && random.chance(0.5);
  return {
    specimen_id: id,
    material,
    specimen_type: isTumour ? 'Tumour' : 'Normal',
    volume_ul: isTumour ? null : random.integer(2, 40) * 50,
    freezer: `F${String(random.integer(1, 18))}`,
    collected_on: dayBetween(random, year, year + 2),
    files: Array.from({ length: isSequenced ? random.integer(1, 2) : 0 }, (_, position) =>
      file(random, `${id.replace('/', '-')}-${String(position + 1)}`),
    ),
  };
};

const file = (random: Random, id: string): JsonObject => {
  const { strategy, format, size, controlled } = sequencingFile(random, strategies);
  return {
    file_id: id,
    file_name: `${id}.${format.toLowerCase()}`,
    strategy,
    format,
    size,
    access: controlled ? 'controlled' : 'open',
  };
};
