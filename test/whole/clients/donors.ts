/** A made-up donor; keys that are missing are missing in the document too. */
export interface Donor {
  readonly donor_id: string;
  readonly sex?: string;
  readonly age?: number;
  readonly bmi: number;
  readonly is_deceased?: boolean;
  readonly enrolled_on: string;
  readonly languages: readonly string[];
  readonly study: { readonly code: string; readonly title: string };
  readonly specimens: readonly Specimen[];
}

export interface Specimen {
  readonly tissue: string;
  readonly weight_mg: number;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly sample_id: string;
  readonly kind: string;
  readonly purity: number;
}

const sexes = ['Female', 'Male', 'Female', undefined, 'Other'];
const tissues = ['Blood', 'Breast', 'Colon', 'Liver', 'Lung', 'Skin'];
const kinds = ['DNA', 'Protein', 'RNA'];
const tongues = ['Dutch', 'French', 'Malay', 'Tamil'];
const studies = [
  { code: 'ALPS', title: 'Alpine cohort' },
  { code: 'DELTA', title: 'River delta cohort' },
  { code: 'ISLES', title: 'Islands cohort' },
];

const specimen = (number: number, at: number): Specimen => ({
  tissue: tissues[(number + at * 5) % tissues.length]!,
  weight_mg: 10 + ((number * 3 + at * 13) % 40) / 4,
  samples: Array.from({ length: (number + at) % 3 }, (_, nth) => ({
    sample_id: `SA-${number}-${at}-${nth}`,
    kind: kinds[(number + nth) % kinds.length]!,
    purity: ((number * 5 + at + nth * 3) % 20) / 20,
  })),
});

const donor = (number: number): Donor => {
  const sex = sexes[number % sexes.length];
  return {
    donor_id: `DO-${String(number).padStart(3, '0')}`,
    ...(sex === undefined ? {} : { sex }),
    ...(number % 11 === 0 ? {} : { age: 18 + ((number * 17) % 70) }),
    bmi: 18 + ((number * 7) % 31) / 2,
    ...(number % 8 === 0 ? {} : { is_deceased: number % 3 === 0 }),
    enrolled_on: `20${String(12 + (number % 9))}-${String(1 + (number % 12)).padStart(2, '0')}-15`,
    languages: tongues.filter((_, at) => (number + at) % (at + 2) === 0),
    study: studies[number % studies.length]!,
    specimens: Array.from({ length: number % 4 }, (_, at) => specimen(number, at)),
  };
};

/** The 57 donors that the portal shows: always the same ones, every field with gaps, ties or several values. */
export const donors: readonly Donor[] = Array.from({ length: 57 }, (_, at) => donor(at + 1));
