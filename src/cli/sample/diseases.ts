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

/** The diseases by their ICD-10 codes. */
export const diseases = {
  'C50.9': { site: 'Breast', organ: 'Sein', diagnosis: 'Invasive ductal carcinoma', genes: ['PIK3CA', 'TP53', 'GATA3', 'CDH1', 'BRCA2'], age: 58, women: 0.99, mortality: 0.16 },
  'C34.1': { site: 'Lung', organ: 'Poumon', diagnosis: 'Lung adenocarcinoma', genes: ['EGFR', 'KRAS', 'TP53', 'STK11', 'ALK'], age: 66, women: 0.47, mortality: 0.58 },
  'C34.9': { site: 'Lung', organ: 'Poumon', diagnosis: 'Squamous cell lung carcinoma', genes: ['TP53', 'CDKN2A', 'NFE2L2', 'PIK3CA'], age: 68, women: 0.3, mortality: 0.62 },
  'C18.9': { site: 'Colon', organ: 'Côlon', diagnosis: 'Colon adenocarcinoma', genes: ['APC', 'TP53', 'KRAS', 'PIK3CA', 'SMAD4'], age: 67, women: 0.46, mortality: 0.36 },
  'C20.9': { site: 'Rectum', organ: 'Rectum', diagnosis: 'Rectal adenocarcinoma', genes: ['APC', 'TP53', 'KRAS'], age: 64, women: 0.4, mortality: 0.33 },
  'C61.9': { site: 'Prostate', organ: 'Prostate', diagnosis: 'Prostate adenocarcinoma', genes: ['SPOP', 'FOXA1', 'TP53', 'PTEN'], age: 67, women: 0, mortality: 0.11 },
  'C71.9': { site: 'Brain', organ: 'Cerveau', diagnosis: 'Glioblastoma', genes: ['PTEN', 'TP53', 'EGFR', 'NF1', 'IDH1'], age: 61, women: 0.41, mortality: 0.87 },
  'C71.6': { site: 'Brain', organ: 'Cerveau', diagnosis: 'Medulloblastoma', genes: ['CTNNB1', 'PTCH1', 'DDX3X', 'SMO'], age: 8, women: 0.38, mortality: 0.27 },
  'C43.9': { site: 'Skin', organ: 'Peau', diagnosis: 'Cutaneous melanoma', genes: ['BRAF', 'NRAS', 'CDKN2A', 'NF1'], age: 57, women: 0.45, mortality: 0.24 },
  'C64.9': { site: 'Kidney', organ: 'Rein', diagnosis: 'Clear cell renal cell carcinoma', genes: ['VHL', 'PBRM1', 'SETD2', 'BAP1'], age: 62, women: 0.35, mortality: 0.31 },
  'C22.0': { site: 'Liver', organ: 'Foie', diagnosis: 'Hepatocellular carcinoma', genes: ['TERT', 'CTNNB1', 'TP53', 'ARID1A'], age: 63, women: 0.24, mortality: 0.66 },
  'C16.9': { site: 'Stomach', organ: 'Estomac', diagnosis: 'Gastric adenocarcinoma', genes: ['TP53', 'ARID1A', 'CDH1', 'RHOA'], age: 65, women: 0.36, mortality: 0.55 },
  'C11.9': { site: 'Nasopharynx', organ: 'Nasopharynx', diagnosis: 'Nasopharyngeal carcinoma', genes: ['CYLD', 'TRAF3', 'NFKBIA'], age: 51, women: 0.27, mortality: 0.29 },
  'C25.9': { site: 'Pancreas', organ: 'Pancréas', diagnosis: 'Pancreatic ductal adenocarcinoma', genes: ['KRAS', 'TP53', 'CDKN2A', 'SMAD4'], age: 69, women: 0.47, mortality: 0.85 },
  'C56.9': { site: 'Ovary', organ: 'Ovaire', diagnosis: 'High-grade serous ovarian carcinoma', genes: ['TP53', 'BRCA1', 'BRCA2', 'NF1'], age: 61, women: 1, mortality: 0.49 },
  'C73.9': { site: 'Thyroid', organ: 'Thyroïde', diagnosis: 'Papillary thyroid carcinoma', genes: ['BRAF', 'NRAS', 'RET'], age: 46, women: 0.76, mortality: 0.03 },
  'C91.0': { site: 'Blood', organ: 'Sang', diagnosis: 'Acute lymphoblastic leukaemia', genes: ['ETV6', 'PAX5', 'IKZF1', 'NOTCH1'], age: 7, women: 0.44, mortality: 0.12 },
  'C92.0': { site: 'Blood', organ: 'Sang', diagnosis: 'Acute myeloid leukaemia', genes: ['FLT3', 'NPM1', 'DNMT3A', 'IDH2'], age: 62, women: 0.45, mortality: 0.61 },
  'C40.2': { site: 'Bone', organ: 'Os', diagnosis: 'Osteosarcoma', genes: ['TP53', 'RB1', 'ATRX'], age: 16, women: 0.43, mortality: 0.34 },
  'C74.9': { site: 'Adrenal gland', organ: 'Surrénale', diagnosis: 'Neuroblastoma', genes: ['MYCN', 'ALK', 'ATRX', 'PHOX2B'], age: 3, women: 0.46, mortality: 0.3 },
} as const satisfies Readonly<Record<string, Disease>>; // prettier-ignore

export type DiseaseCode = keyof typeof diseases;

/** How often a centre sees each disease; it does not see omitted ones. */
export type CaseMix = Partial<Readonly<Record<DiseaseCode, number>>>;
