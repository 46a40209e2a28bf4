import { museumPairs, samplePairs } from '../test/federation/proposal/catalogues.ts';
import {
  madeUpPairs,
  measure,
  precision,
  recall,
  schemaPairs,
  together,
  type CataloguePair,
  type Counts,
} from '../test/federation/proposal/measure.ts';

// Prints how many of the names and values that people have mapped by hand are proposed, and how many proposals are
// right: node bench/proposals.ts [--missed]. TRIBUTARY_DATA names the folder of docs/museums/README.md; without it, museums are compared
// by names alone.

const show = (name: string, { fields, values }: { readonly fields: Counts; readonly values: Counts }): void =>
  console.log([name.padEnd(30), text(fields), text(values)].join('  '));

const text = (counts: Counts): string =>
  counts.right + counts.wrong.length + counts.missed.length === 0
    ? 'none'.padEnd(36)
    : `precision ${precision(counts).toFixed(3)} recall ${recall(counts).toFixed(3)} of ${String(counts.right + counts.missed.length).padStart(3)}`.padEnd(
        36,
      );

const showAll = (title: string, pairs: readonly CataloguePair[]): void => {
  console.log(`\n${title.padEnd(30)}  ${'fields'.padEnd(36)}  values`);
  const measured = pairs.map((pair) => ({ name: pair.name, ...measure(pair) }));
  for (const one of measured) show(one.name, one);
  show('all', {
    fields: together(measured.map(({ fields }) => fields)),
    values: together(measured.map(({ values }) => values)),
  });
  for (const wrong of measured.flatMap(({ fields, values }) => [...fields.wrong, ...values.wrong]))
    console.log(`  wrong: ${wrong}`);
  if (process.argv.includes('--missed'))
    for (const missed of measured.flatMap(({ fields, values }) => [...fields.missed, ...values.missed]))
      console.log(`  missed: ${missed}`);
};

showAll('made-up pairs', madeUpPairs());
showAll('public schemas', schemaPairs());
showAll('sample', samplePairs());
showAll('museums', museumPairs(process.env['TRIBUTARY_DATA'] ?? null));
