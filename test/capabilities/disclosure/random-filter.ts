import { below, type Random } from './random-units.ts';

/** A condition as clients write it. */
export const leaf = (op: string, fieldName: string, value: unknown) => ({
  op,
  content: { fieldName, value },
});

/** A condition on a released field, whether it fits its cells or cuts them. */
const randomLeaf = (random: Random): object => {
  const pick = <Item>(items: readonly Item[]): Item => items[below(random, items.length)]!;
  const fields: readonly (() => object)[] = [
    () =>
      leaf(
        pick(['in', 'not-in', 'some-not-in']),
        'sex',
        pick([['female'], ['male', 'other'], ['__missing__'], ['female', '__missing__'], ['f*']]),
      ),
    () => leaf(pick(['gt', 'gte', 'lt', 'lte']), 'age', pick([19, 20, 39, 40, 41, 60, 100])),
    () =>
      leaf(
        'between',
        'weight',
        pick([
          [55.5, 80],
          [50, 90],
          [0, 55.5],
        ]),
      ),
    () =>
      leaf(
        pick(['in', 'not-in', 'all']),
        'site',
        pick([['C50.1'], ['C50*'], ['C5*'], ['C50.9'], ['C18.9'], ['C3*', 'D12'], ['*']]),
      ),
    () =>
      leaf(
        pick(['in', 'all', 'not-in', 'some-not-in']),
        'genes',
        pick([['TP53'], ['TP53', 'KRAS'], ['MYC'], ['__missing__'], ['EGFR', '__missing__']]),
      ),
    () => leaf('in', 'consent', [pick([true, false])]),
    () =>
      leaf(
        pick(['gte', 'lt', 'lte', 'gt']),
        'enrolled',
        pick(['2015', '2016-01-01', '2016-06', '2018', '2020']),
      ),
    () =>
      leaf(
        pick(['in', 'not-in', 'some-not-in', 'all']),
        'samples.kind',
        pick([['blood'], ['blood', 'tissue'], ['__missing__'], ['hair']]),
      ),
    () => leaf('starts-with', 'site', pick([['C50'], ['C3'], ['D'], ['C50.1']])),
  ];
  return pick(fields)();
};

/** Conditions on released fields in groups, some of them of one nested object. */
export const randomFilter = (random: Random, depth: number): object => {
  if (depth === 0 || random() < 0.2) return randomLeaf(random);
  const content = Array.from({ length: 1 + below(random, 3) }, () => randomFilter(random, depth - 1));
  const pivot = random() < 0.1;
  const op = ['and', 'or', 'not'][below(random, 3)]!;
  if (!pivot) return { op, content };
  const kinds = content.map(() =>
    leaf(random() < 0.5 ? 'in' : 'not-in', 'samples.kind', [['blood', 'tissue', 'urine'][below(random, 3)]]),
  );
  return { op, content: kinds, pivot: 'samples' };
};
