import type { JsonObject } from '../../lib/json/json.ts';
import { dayBetween, patient, rounded, sequencingFile, type CaseMix, type Random } from './patient.ts';

const mix: CaseMix = {
  'C50.9': 17,
  'C34.1': 15,
  'C34.9': 9,
  'C18.9': 13,
  'C20.9': 6,
  'C61.9': 9,
  'C71.9': 7,
  'C43.9': 9,
  'C64.9': 5,
  'C22.0': 4,
  'C16.9': 2,
  'C25.9': 6,
  'C56.9': 5,
  'C73.9': 3,
  'C92.0': 5,
  'C40.2': 2,
};
/** Its own codes, which configs/lyon/diagnosis-codes.sssom.tsv maps; its code of the rectum is of one part of it. */
const ownCodes: Readonly<Record<string, string>> = {
  'C50.9': 'SEI',
  'C34.1': 'POS',
  'C34.9': 'POU',
  'C18.9': 'COL',
  'C20.9': 'AMP',
  'C61.9': 'PRO',
  'C71.9': 'CER',
  'C43.9': 'PEA',
  'C64.9': 'REI',
  'C22.0': 'FOI',
  'C16.9': 'EST',
  'C25.9': 'PAN',
  'C56.9': 'OVA',
  'C73.9': 'THY',
  'C92.0': 'LAM',
  'C40.2': 'OSJ',
};
const strategies = { WGS: 7, WXS: 6, 'RNA-Seq': 3, 'Targeted-Seq': 1 };
const platforms = { 'NovaSeq 6000': 9, 'NovaSeq X': 5, 'HiSeq X': 3, PromethION: 2 };

/** A participant of the sequencing centre in Lyon: detailed run metrics, little clinical data, its own vocabulary. */
export const lyonParticipant = (random: Random, number: number): JsonObject => {
  const person = patient(random, mix);
  const id = `LYO${String(number).padStart(5, '0')}`;
  const submitted = dayBetween(random, 2016, 2025);
  return {
    participant_id: id,
    cohort: random.weighted({ RHONE: 6, ALPES: 4, 'SARCOME-FR': 1, AUVERGNE: 2 }),
    sex: person.isWoman ? 'F' : 'M',
    age: person.age,
    organ: person.disease.organ,
    diagnosis_code: ownCodes[person.code],
    mutated_genes: person.genes,
    tumour_mutational_burden: rounded(Math.exp(random.normal(1.2, 0.9)), 2),
    msi_status: random.weighted({ MSS: 86, 'MSI-H': 9, 'MSI-L': 5 }),
    submitted_on: submitted,
    samples: Array.from({ length: random.integer(1, 4) }, (_, position) =>
      sample(random, `${id}.${String(position + 1)}`, position === 0, Number(submitted.slice(0, 4))),
    ),
  };
};

const sample = (random: Random, id: string, isFirst: boolean, year: number): JsonObject => {
  const isTumour = isFirst || random.chance(0.4);
  return {
    sample_id: id,
    origin: isTumour ? 'tumoral' : 'germinal',
    conservation: random.weighted({ congelé: 58, FFPE: 36, frais: 6 }),
    sampled_on: dayBetween(random, year - 2, year),
    // a percentage here; the hospital uses a fraction
    ...(isTumour ? { purity: rounded(Math.min(98, Math.max(5, random.normal(64, 16))), 1) } : {}),
    runs: Array.from({ length: random.integer(1, 3) }, (_, position) =>
      run(random, `${id}.R${String(position + 1)}`),
    ),
  };
};

const run = (random: Random, id: string): JsonObject => {
  const { strategy, dataType, format, size, controlled } = sequencingFile(random, strategies);
  const depth = { WGS: 38, WXS: 120, 'RNA-Seq': 45, 'Targeted-Seq': 620 }[strategy] ?? 50;
  return {
    run_id: id,
    file_name: `${id}.${format.toLowerCase()}`,
    platform: random.weighted(platforms),
    strategy,
    content: dataType,
    format,
    bytes: size,
    mean_coverage: rounded(Math.max(5, random.normal(depth, depth * 0.2)), 1),
    q30: rounded(Math.min(97, Math.max(70, random.normal(91, 3))), 1),
    public: !controlled,
  };
};
