/** A made-up patient, before an institution applies its own field names. */
export interface Patient {
  readonly code: DiseaseCode;
  readonly disease: Disease;
  readonly isWoman: boolean;
  /** Years. */
  readonly age: number;
  readonly died: boolean;
  readonly genes: readonly string[];
}

/** A patient of a centre with this mix of cases. */
export const patient = (random: Random, mix: CaseMix): Patient => {
  const code = random.weighted(mix as Readonly<Record<DiseaseCode, number>>);
  const disease: Disease = diseases[code];
  const spread = disease.age < 20 ? disease.age * 0.5 : 11;
  return {
    code,
    disease,
    isWoman: random.chance(disease.women),
    age: Math.min(96, Math.max(0, Math.round(random.normal(disease.age, spread)))),
    died: random.chance(disease.mortality),
    genes: random.some(disease.genes, random.integer(0, 3)),
  };
};

/** A day as yyyy-MM-dd, between the first days of two years. */
export const dayBetween = (random: Random, firstYear: number, endYear: number): string => {
  const [first, end] = [Date.UTC(firstYear, 0, 1), Date.UTC(endYear, 0, 1)];
  return new Date(first + random.next() * (end - first)).toISOString().slice(0, 10);
};

/** Rounds to this number of decimals. */
export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** The diseases of the sample, by ICD-10 code: made-up patients, real vocabulary. */
export interface Disease {
  readonly site: string;
  /** The site in the French centre's vocabulary. */
  readonly organ: string;
  readonly diagnosis: string;
  /** Genes often mutated in it. */
  readonly genes: readonly string[];
  /** Mean age at diagnosis, years. */
  readonly age: number;
  /** Share of women among the patients. */
  readonly women: number;
  /** Share who died within the follow-up. */
  readonly mortality: number;
}

const diseases = {
  'C50.9': {
    site: 'Breast',
    organ: 'Sein',
    diagnosis: 'Invasive ductal carcinoma',
    genes: ['PIK3CA', 'TP53', 'GATA3', 'CDH1', 'BRCA2'],
    age: 58,
    women: 0.99,
    mortality: 0.16,
  },
  'C34.1': {
    site: 'Lung',
    organ: 'Poumon',
    diagnosis: 'Lung adenocarcinoma',
    genes: ['EGFR', 'KRAS', 'TP53', 'STK11', 'ALK'],
    age: 66,
    women: 0.47,
    mortality: 0.58,
  },
  'C34.9': {
    site: 'Lung',
    organ: 'Poumon',
    diagnosis: 'Squamous cell lung carcinoma',
    genes: ['TP53', 'CDKN2A', 'NFE2L2', 'PIK3CA'],
    age: 68,
    women: 0.3,
    mortality: 0.62,
  },
  'C18.9': {
    site: 'Colon',
    organ: 'Côlon',
    diagnosis: 'Colon adenocarcinoma',
    genes: ['APC', 'TP53', 'KRAS', 'PIK3CA', 'SMAD4'],
    age: 67,
    women: 0.46,
    mortality: 0.36,
  },
  'C20.9': {
    site: 'Rectum',
    organ: 'Rectum',
    diagnosis: 'Rectal adenocarcinoma',
    genes: ['APC', 'TP53', 'KRAS'],
    age: 64,
    women: 0.4,
    mortality: 0.33,
  },
  'C61.9': {
    site: 'Prostate',
    organ: 'Prostate',
    diagnosis: 'Prostate adenocarcinoma',
    genes: ['SPOP', 'FOXA1', 'TP53', 'PTEN'],
    age: 67,
    women: 0,
    mortality: 0.11,
  },
  'C71.9': {
    site: 'Brain',
    organ: 'Cerveau',
    diagnosis: 'Glioblastoma',
    genes: ['PTEN', 'TP53', 'EGFR', 'NF1', 'IDH1'],
    age: 61,
    women: 0.41,
    mortality: 0.87,
  },
  'C71.6': {
    site: 'Brain',
    organ: 'Cerveau',
    diagnosis: 'Medulloblastoma',
    genes: ['CTNNB1', 'PTCH1', 'DDX3X', 'SMO'],
    age: 8,
    women: 0.38,
    mortality: 0.27,
  },
  'C43.9': {
    site: 'Skin',
    organ: 'Peau',
    diagnosis: 'Cutaneous melanoma',
    genes: ['BRAF', 'NRAS', 'CDKN2A', 'NF1'],
    age: 57,
    women: 0.45,
    mortality: 0.24,
  },
  'C64.9': {
    site: 'Kidney',
    organ: 'Rein',
    diagnosis: 'Clear cell renal cell carcinoma',
    genes: ['VHL', 'PBRM1', 'SETD2', 'BAP1'],
    age: 62,
    women: 0.35,
    mortality: 0.31,
  },
  'C22.0': {
    site: 'Liver',
    organ: 'Foie',
    diagnosis: 'Hepatocellular carcinoma',
    genes: ['TERT', 'CTNNB1', 'TP53', 'ARID1A'],
    age: 63,
    women: 0.24,
    mortality: 0.66,
  },
  'C16.9': {
    site: 'Stomach',
    organ: 'Estomac',
    diagnosis: 'Gastric adenocarcinoma',
    genes: ['TP53', 'ARID1A', 'CDH1', 'RHOA'],
    age: 65,
    women: 0.36,
    mortality: 0.55,
  },
  'C11.9': {
    site: 'Nasopharynx',
    organ: 'Nasopharynx',
    diagnosis: 'Nasopharyngeal carcinoma',
    genes: ['CYLD', 'TRAF3', 'NFKBIA'],
    age: 51,
    women: 0.27,
    mortality: 0.29,
  },
  'C25.9': {
    site: 'Pancreas',
    organ: 'Pancréas',
    diagnosis: 'Pancreatic ductal adenocarcinoma',
    genes: ['KRAS', 'TP53', 'CDKN2A', 'SMAD4'],
    age: 69,
    women: 0.47,
    mortality: 0.85,
  },
  'C56.9': {
    site: 'Ovary',
    organ: 'Ovaire',
    diagnosis: 'High-grade serous ovarian carcinoma',
    genes: ['TP53', 'BRCA1', 'BRCA2', 'NF1'],
    age: 61,
    women: 1,
    mortality: 0.49,
  },
  'C73.9': {
    site: 'Thyroid',
    organ: 'Thyroïde',
    diagnosis: 'Papillary thyroid carcinoma',
    genes: ['BRAF', 'NRAS', 'RET'],
    age: 46,
    women: 0.76,
    mortality: 0.03,
  },
  'C91.0': {
    site: 'Blood',
    organ: 'Sang',
    diagnosis: 'Acute lymphoblastic leukaemia',
    genes: ['ETV6', 'PAX5', 'IKZF1', 'NOTCH1'],
    age: 7,
    women: 0.44,
    mortality: 0.12,
  },
  'C92.0': {
    site: 'Blood',
    organ: 'Sang',
    diagnosis: 'Acute myeloid leukaemia',
    genes: ['FLT3', 'NPM1', 'DNMT3A', 'IDH2'],
    age: 62,
    women: 0.45,
    mortality: 0.61,
  },
  'C40.2': {
    site: 'Bone',
    organ: 'Os',
    diagnosis: 'Osteosarcoma',
    genes: ['TP53', 'RB1', 'ATRX'],
    age: 16,
    women: 0.43,
    mortality: 0.34,
  },
  'C74.9': {
    site: 'Adrenal gland',
    organ: 'Surrénale',
    diagnosis: 'Neuroblastoma',
    genes: ['MYCN', 'ALK', 'ATRX', 'PHOX2B'],
    age: 3,
    women: 0.46,
    mortality: 0.3,
  },
} as const satisfies Readonly<Record<string, Disease>>;

export type DiseaseCode = keyof typeof diseases;

/** How often a centre sees each disease; omitted diseases do not occur. */
export type CaseMix = Partial<Readonly<Record<DiseaseCode, number>>>;

/** A data file, before an institution applies its own field names. */
export interface SequencingFile {
  readonly strategy: string;
  readonly dataType: string;
  readonly format: string;
  /** Bytes. */
  readonly size: number;
  readonly controlled: boolean;
}

/** By strategy: the content, the format and the median size of its files in megabytes. */
const kinds = {
  WGS: [
    ['Aligned reads', 'CRAM', 28_000],
    ['Raw reads', 'FASTQ', 95_000],
    ['Somatic variants', 'VCF', 60],
  ],
  WXS: [
    ['Aligned reads', 'CRAM', 4_200],
    ['Somatic variants', 'VCF', 6],
    ['Annotated variants', 'MAF', 3],
  ],
  'RNA-Seq': [
    ['Aligned reads', 'BAM', 6_500],
    ['Gene expression', 'TSV', 2],
  ],
  'Targeted-Seq': [
    ['Aligned reads', 'BAM', 350],
    ['Somatic variants', 'VCF', 1],
  ],
  'Methylation array': [['Intensities', 'IDAT', 13]],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string, number])[]>>;

export type Strategy = keyof typeof kinds;

/** One file of a centre that uses the strategies with these weights. Summary tables are open access, reads are not. */
export const sequencingFile = (random: Random, weights: Readonly<Record<string, number>>): SequencingFile => {
  const strategy = random.weighted(weights) as Strategy;
  const [dataType, format, megabytes] = random.pick<readonly [string, string, number]>(kinds[strategy]);
  const size = Math.round(megabytes * 1e6 * Math.exp(random.normal(0, 0.45)));
  return { strategy, dataType, format, size, controlled: !['TSV', 'MAF'].includes(format) };
};

/** A random generator that gives the same values for the same seed on every machine. */
export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  chance(probability: number): boolean;
  /** Both ends included. */
  integer(low: number, high: number): number;
  pick<T>(values: readonly T[]): T;
  /** One key of a table of weights. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** Distinct values, at most `count`, in list order. */
  some<T>(values: readonly T[], count: number): T[];
  /** Normally distributed. */
  normal(mean: number, deviation: number): number;
}

/**
 * A generator seeded with a string. Mulberry32 over an FNV-1a hash of the seed: good enough for samples, not for
 * secrets.
 */
export const seededRandom = (seed: string): Random => {
  let state = fnv1a(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (values) => values[integer(0, values.length - 1)]!,
    weighted: (weights) => weightedKey(weights, next()),
    some: (values, count) => {
      const left = new Set(values.keys());
      const wanted = Math.min(count, values.length);
      while (values.length - left.size < wanted) left.delete(integer(0, values.length - 1));
      return values.filter((_value, position) => !left.has(position));
    },
    // The sum of twelve uniform values has variance 1.
    normal: (mean, deviation) =>
      mean + deviation * (Array.from({ length: 12 }, next).reduce((a, b) => a + b) - 6),
  };
};

const weightedKey = <T extends string>(weights: Readonly<Record<T, number>>, at: number): T => {
  const entries = Object.entries(weights) as [T, number][];
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = at * total;
  for (const [key, weight] of entries) {
    left -= weight;
    if (left < 0) return key;
  }
  return entries.at(-1)![0];
};

const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
};
