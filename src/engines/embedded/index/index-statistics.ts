import type { FieldStatistics, IndexStatistics } from '../../engine.ts';
import type { Columns } from '../columns/columns.ts';
import type { Column } from '../columns/nested-level.ts';

/** The figures that search costs are estimated from; deleted documents count until their space is reclaimed. */
export const columnStatistics = (columns: Columns, documentBytes: number): IndexStatistics => {
  const { root, tree } = columns;
  const all = [columns.ids, ...tree.columns.values()];
  return {
    documents: root.count,
    documentBytes: root.count === 0 ? 0 : documentBytes / root.count,
    objects: new Map([...tree.levels].map(([path, { count }]) => [path, count])),
    fields: new Map(all.map((column) => [column.path, fieldStatistics(column)])),
  };
};

const fieldStatistics = ({ data }: Column): FieldStatistics => {
  if (data.kind === 'number') return { values: valuesOf(data.chunks), span: data.span() };
  const { table } = data;
  return { values: valuesOf(data.chunks), strings: table.size, stringBytes: table.offsets[table.size]! };
};

interface Chunk {
  readonly offsets: Uint32Array | null;
  readonly used: number;
  readonly count: number;
}

const valuesOf = (chunks: readonly Chunk[]): number =>
  chunks.reduce((sum, { offsets, used, count }) => sum + (offsets === null ? count : used), 0);
