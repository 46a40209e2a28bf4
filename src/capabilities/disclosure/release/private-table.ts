import type { PrivateTable } from '../renewal/renewal.ts';

/** The data that a release was computed from, and its owner. */
export interface PrivateRecord {
  /** The id of the release. */
  readonly id: string;
  readonly catalogueId: string;
  /** The indexes that were read. */
  readonly indices: readonly string[];
  readonly table: PrivateTable;
}

/** The record as text: its owner on the first line, the units below. */
export const privateText = ({ table, ...owner }: PrivateRecord): string => {
  const strata = table.strata.map(({ value, ids, vectors, vectorOf }) => ({
    ...{ value, vectors },
    ids: toBase64(ids),
    vectorOf: toBase64(vectorOf),
  }));
  return `${JSON.stringify(owner)}\n${JSON.stringify({ ...table, strata })}`;
};

/** The release and indexes that a private text belongs to. */
export const ownerOf = (text: string): Omit<PrivateRecord, 'table'> =>
  JSON.parse(text.slice(0, text.indexOf('\n'))) as Omit<PrivateRecord, 'table'>;

/** The units of a private text. */
export const tableOf = (text: string): PrivateTable => {
  const { strata, ...table } = JSON.parse(text.slice(text.indexOf('\n') + 1)) as Omit<
    PrivateTable,
    'strata'
  > & {
    readonly strata: readonly {
      readonly value: string | null;
      readonly vectors: readonly string[];
      readonly ids: string;
      readonly vectorOf: string;
    }[];
  };
  return {
    ...table,
    strata: strata.map(({ ids, vectorOf, ...stratum }) => ({
      ...stratum,
      ids: new BigUint64Array(fromBase64(ids)),
      vectorOf: new Uint32Array(fromBase64(vectorOf)),
    })),
  };
};

const toBase64 = ({ buffer, byteOffset, byteLength }: BigUint64Array | Uint32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** In a separate buffer, so that its start is aligned. */
const fromBase64 = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text, 'base64')).buffer;
