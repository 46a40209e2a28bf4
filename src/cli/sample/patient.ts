import type { CaseMix, Disease, DiseaseCode } from './diseases.ts';
import { diseases } from './diseases.ts';
import type { Random } from './random.ts';

/** A made-up patient before an institution gives it its own field names. */
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

/** Rounds to that many decimals. */
export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
