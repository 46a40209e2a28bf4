import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DescribedField } from '../../../src/federation/proposal/compatible.ts';
import { proposeFields } from '../../../src/federation/proposal/propose.ts';

/** Two catalogues, and the mapping between them as written by hand. */
export interface CataloguePair {
  readonly name: string;
  readonly network: readonly DescribedField[];
  readonly own: readonly DescribedField[];
  /** Network field -> own field, where their names differ. */
  readonly fields: ReadonlyMap<string, string>;
  /** Network field -> own value -> network value, where these differ. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The network fields that the mapping by hand was made for; unset: all. */
  readonly judged?: ReadonlySet<string>;
}

/** How many of what was expected was proposed, and what was proposed besides. */
export interface Counts {
  readonly right: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

export interface Measured {
  readonly fields: Counts;
  readonly values: Counts;
}

export const precision = ({ right, wrong }: Counts): number => right / Math.max(1, right + wrong.length);
export const recall = ({ right, missed }: Counts): number => right / Math.max(1, right + missed.length);

/** Compares what is proposed for a pair with what was written by hand. */
export const measure = ({ network, own, fields, values, judged }: CataloguePair): Measured => {
  const proposals = proposeFields(network, own).filter(
    (one) => one.conflict === null && judged?.has(one.network) !== false,
  );
  const proposedFields = proposals
    .filter((one) => one.network !== one.own)
    .map((one) => `${one.network} = ${one.own}`);
  const proposedValues = proposals.flatMap((field) =>
    field.values.map((value) => `${field.network}: ${value.own} = ${value.network}`),
  );
  return {
    fields: compared(
      proposedFields,
      [...fields].map(([theirs, ours]) => `${theirs} = ${ours}`),
    ),
    values: compared(
      proposedValues,
      [...values].flatMap(([path, map]) => [...map].map(([ours, theirs]) => `${path}: ${ours} = ${theirs}`)),
    ),
  };
};

const compared = (proposed: readonly string[], expected: readonly string[]): Counts => ({
  right: proposed.filter((one) => expected.includes(one)).length,
  wrong: proposed.filter((one) => !expected.includes(one)),
  missed: expected.filter((one) => !proposed.includes(one)),
});

/** Several measurements as one. */
export const together = (all: readonly Counts[]): Counts => ({
  right: all.reduce((sum, { right }) => sum + right, 0),
  wrong: all.flatMap(({ wrong }) => wrong),
  missed: all.flatMap(({ missed }) => missed),
});

/** The made-up pairs of catalogues, in files that nothing is tuned by. */
export const madeUpPairs = (): readonly CataloguePair[] => pairsIn('pairs');

/** Public schemas, each beside an export such as institutions have. */
export const schemaPairs = (): readonly CataloguePair[] => pairsIn('schemas');

const pairsIn = (name: string): readonly CataloguePair[] => {
  const folder = join(import.meta.dirname, name);
  return readdirSync(folder)
    .sort()
    .map((file) => parsePair(basename(file, '.txt'), readFileSync(join(folder, file), 'utf8')));
};

/**
 * A pair of catalogues from lines `network field = own field`, with `-` where one side has none. A field is written
 * `name type "label" (unit) {least..greatest} [value|value] # description`; `own→network` in its values is a mapped one.
 */
const parsePair = (name: string, text: string): CataloguePair => {
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [theirs = '', ours = ''] = line.split(/ = (?=-$|\S+ [a-z]+(?: |$))/);
      return { theirs: parseField(theirs), ours: parseField(ours) };
    });
  const both = lines.flatMap(({ theirs, ours }) => (theirs && ours ? [{ theirs, ours }] : []));
  return {
    name,
    network: lines.flatMap(({ theirs }) => (theirs === null ? [] : [theirs.field])),
    own: lines.flatMap(({ ours }) => (ours === null ? [] : [ours.field])),
    fields: new Map(
      both
        .filter(({ theirs, ours }) => theirs.field.name !== ours.field.name)
        .map(({ theirs, ours }) => [theirs.field.name, ours.field.name]),
    ),
    values: new Map(
      both
        .filter(({ ours }) => ours.mapped.size > 0)
        .map(({ theirs, ours }) => [theirs.field.name, ours.mapped]),
    ),
  };
};

const fieldForm =
  /^(\S+) ([a-z_]+)(?: "([^"]*)")?(?: \(([^)]*)\))?(?: \{(-?[\d.]+?)\.\.(-?[\d.]+)\})?(?: \[([^\]]*)\])?(?: # (.*))?$/;

const parseField = (
  text: string,
): { readonly field: DescribedField; readonly mapped: ReadonlyMap<string, string> } | null => {
  if (text.trim() === '-') return null;
  const [, name, type, label, unit, least, greatest, listed, description] = fieldForm.exec(text.trim()) ?? [];
  if (name === undefined || type === undefined) throw new Error(`no field: ${text}`);
  const values = listed?.split('|').map((value) => value.split('→'));
  return {
    field: {
      ...{ name, type, label, unit, description },
      values: values?.map(([own]) => own!),
      range: least === undefined ? undefined : [Number(least), Number(greatest)],
    },
    mapped: new Map(values?.flatMap(([own, network]) => (network === undefined ? [] : [[own!, network]]))),
  };
};
