import { createHash } from 'node:crypto';
import type { StratumVectors } from '../../../../src/capabilities/disclosure/renewal/unit-changes.ts';

export interface TestUnit {
  readonly id: string;
  /** Of each dimension, its cell or cells. */
  readonly cells: readonly (number | readonly number[])[];
}

/** Units as a release keeps them. */
export const vectorsOf = (value: string | null, units: readonly TestUnit[]): StratumVectors => {
  const numbers = new Map<string, number>();
  const hashed = units
    .map(({ id, cells }) => ({
      id: createHash('sha256').update(id).digest().readBigUInt64LE(0),
      vector: cells.map((cell) => String(cell)).join(';'),
    }))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const vectorOf = Uint32Array.from(hashed, ({ vector }) => {
    const number = numbers.get(vector) ?? numbers.size;
    numbers.set(vector, number);
    return number;
  });
  return {
    value,
    ids: BigUint64Array.from(hashed, ({ id }) => id),
    vectors: [...numbers.keys()],
    vectorOf,
  };
};
