import type { Random } from './random.ts';

/** A data file before an institution gives it its own field names. */
export interface SequencingFile {
  readonly strategy: string;
  readonly dataType: string;
  readonly format: string;
  /** Bytes. */
  readonly size: number;
  readonly controlled: boolean;
}

/** By strategy: what its files hold, their format and their median size in megabytes. */
const kinds = {
  WGS: [['Aligned reads', 'CRAM', 28_000], ['Raw reads', 'FASTQ', 95_000], ['Somatic variants', 'VCF', 60]],
  WXS: [['Aligned reads', 'CRAM', 4_200], ['Somatic variants', 'VCF', 6], ['Annotated variants', 'MAF', 3]],
  'RNA-Seq': [['Aligned reads', 'BAM', 6_500], ['Gene expression', 'TSV', 2]],
  'Targeted-Seq': [['Aligned reads', 'BAM', 350], ['Somatic variants', 'VCF', 1]],
  'Methylation array': [['Intensities', 'IDAT', 13]],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string, number])[]>>; // prettier-ignore

export type Strategy = keyof typeof kinds;

/** One file of a centre that uses the strategies with these weights. Summary tables are open access, reads are not. */
export const sequencingFile = (random: Random, weights: Readonly<Record<string, number>>): SequencingFile => {
  const strategy = random.weighted(weights) as Strategy;
  const [dataType, format, megabytes] = random.pick<readonly [string, string, number]>(kinds[strategy]);
  const size = Math.round(megabytes * 1e6 * Math.exp(random.normal(0, 0.45)));
  return { strategy, dataType, format, size, controlled: !['TSV', 'MAF'].includes(format) };
};
