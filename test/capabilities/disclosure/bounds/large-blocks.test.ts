import test from 'ava';
import { boundsOver } from '../../../../src/capabilities/disclosure/bounds/bounds.ts';
import { formulasOver, shapesOf } from '../../../../src/capabilities/disclosure/bounds/formula.ts';
import { publish } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import {
  blockKey,
  combinations,
  type Block,
  type Dimension,
} from '../../../../src/capabilities/disclosure/table/released-table.ts';

/** Counts the blocks that are read. */
class CountedBlocks extends Map<string, Block> {
  reads = 0;

  override get(key: string): Block | undefined {
    this.reads += 1;
    return super.get(key);
  }
}

/** A release without records, whose blocks count how often they are read. */
const emptyTable = (size: number, length: number) => {
  const dimensions = Array.from({ length }, (_, at): Dimension => ({
    fieldName: `f${at}`,
    isMulti: false,
    cells: Array.from({ length: size }, (_cell, value) => ({ kind: 'value', value: `v${value}` })),
  }));
  const counts = combinations(dimensions, 3).map((chosen): [string, Uint32Array] => [
    blockKey(chosen),
    new Uint32Array(size ** chosen.length),
  ]);
  const published = publish({ total: 0, blocks: new Map(counts) }, dimensions, { threshold: 10, order: 3 });
  return { ...published, blocks: new CountedBlocks(published.blocks) };
};

test('what is known of five conditions on large blocks is kept for questions with another sixth', (t) => {
  const table = emptyTable(42, 7);
  const { blocks } = table;
  const { and, isIn } = formulasOver(shapesOf(table));
  const bounds = boundsOver(table);
  const selected = [1, 2, 3, 4, 5, 6].map((dimension) => isIn(dimension, [1, 2, 3, 5, 8]));
  bounds(and(selected));
  const ofOne = blocks.reads;
  bounds(and([...selected.slice(1), isIn(0, [1, 2])]));
  const ofAnother = blocks.reads - ofOne;
  t.true(ofAnother < ofOne / 2, `${ofOne}, then ${ofAnother}`);
});

test('a question about blocks too large to be summed up stops once it has read what one may', (t) => {
  const size = 52;
  const table = emptyTable(size, 6);
  const { and, isIn } = formulasOver(shapesOf(table));
  const half = Array.from({ length: size / 2 }, (_, at) => 2 * at);
  const bounds = boundsOver(table);
  const three = [0, 1, 2].map((dimension) => isIn(dimension, half));
  bounds(and([...three, ...[3, 4, 5].map((dimension) => isIn(dimension, half))]));
  // all twenty blocks of three of the conditions, in all six orders, are read 360 times
  t.true(table.blocks.reads < 120, String(table.blocks.reads));
});
