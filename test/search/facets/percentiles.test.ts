import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import type { LogCountsResult } from '../../../src/engines/measure.ts';
import { gammaOf } from '../../../src/engines/semantics/log-counts.ts';
import { convertedFacet } from '../../../src/federation/conversion/measured-facet.ts';
import { converted } from '../../../src/federation/conversion/unit.ts';
import { mergeLogCounts, percentiles, percentilesOf } from '../../../src/search/facets/percentiles.ts';
import { logCounts } from '../../engines/naive/log-counts.ts';

const countsOf = (values: readonly number[]) => logCounts(values.map((value) => [value]));

/** By nearest rank. */
const truth = (values: readonly number[], percent: number): number =>
  values.toSorted((left, right) => left - right)[
    Math.max(0, Math.ceil((percent * values.length) / 100) - 1)
  ]!;

const numbers = fc.array(
  fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer({ min: -3, max: 300 }),
  ),
  { minLength: 1, maxLength: 60 },
);
const percent = fc.oneof(fc.constantFrom(0, 50, 95, 99.9, 100), fc.double({ min: 0, max: 100, noNaN: true }));

test('the true percentile lies within its bounds, and the value within 1 % of it', (t) => {
  fc.assert(
    fc.property(numbers, percent, (values, requested) => {
      const counts = countsOf(values);
      const [found] = percentilesOf(counts, [requested]);
      const wanted = truth(values, requested);
      t.is(found!.percent, requested);
      t.true(found!.lower! <= wanted && wanted <= found!.upper!, `${found!.lower} ${wanted} ${found!.upper}`);
      t.true(found!.lower! <= found!.value! && found!.value! <= found!.upper!);
      // the least doubles have too few digits for that
      if (counts.level === 0 && Math.abs(wanted) > 1e-300)
        t.true(Math.abs(found!.value! - wanted) <= 0.01 * Math.abs(wanted), `${found!.value} ${wanted}`);
    }),
    { numRuns: runs(500) },
  );
});

test('counts of several nodes are those of all their documents together', (t) => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 5 }), (nodes) => {
      t.deepEqual(mergeLogCounts(nodes.map(countsOf)), countsOf(nodes.flat()));
    }),
    { numRuns: runs(300) },
  );
});

const factor = fc.oneof(
  fc.constantFrom(0.001, 1000, 2.54, -1, 0.0254),
  fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
);

// the least doubles have too few digits to be multiplied
const number = fc
  .double({ min: -1e6, max: 1e6, noNaN: true })
  .map((one) => (Math.abs(one) < 1e-290 ? 0 : one));

test('the true percentile lies within its bounds where nodes count in other units', (t) => {
  const nodes = fc.array(fc.tuple(fc.array(number, { maxLength: 20 }), factor), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(nodes, percent, (spread, requested) => {
      const values = spread.flatMap(([own, by]) =>
        own.map((one) => converted(one, { factor: by, offset: 0 })),
      );
      const parts = spread.map(([own, by]) => {
        const unit = { factor: by, offset: 0 };
        const shown = convertedFacet(countsOf(own), { kind: 'percentiles' }, {
          unit,
        } as never) as LogCountsResult;
        const wire = { gamma: gammaOf(shown.level), ...shown };
        // through a network between
        return percentiles.read(wire, { field: 'size' } as never) as LogCountsResult;
      });
      fc.pre(values.length > 0);
      const [found] = percentilesOf(mergeLogCounts(parts), [requested]);
      const wanted = truth(values, requested);
      t.true(found!.lower! <= wanted && wanted <= found!.upper!, `${found!.lower} ${wanted} ${found!.upper}`);
    }),
    { numRuns: runs(500) },
  );
});

test('percentiles of nothing are null', (t) => {
  const none = { value: null, lower: null, upper: null };
  t.deepEqual(percentilesOf(mergeLogCounts([]), [0, 50]), [
    { percent: 0, ...none },
    { percent: 50, ...none },
  ]);
});

test('the ends of all numbers are finite', (t) => {
  const ends = [-Number.MAX_VALUE, Number.MAX_VALUE];
  const [least, most] = percentilesOf(countsOf(ends), [0, 100]);
  for (const { value, lower, upper } of [least!, most!]) t.true([value, lower, upper].every(Number.isFinite));
  t.is(least!.lower, -Number.MAX_VALUE);
  t.is(most!.upper, Number.MAX_VALUE);
});
