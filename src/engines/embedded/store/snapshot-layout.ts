import { chunkSize, withRoom, type Chunked, type Codes, type TypedArray } from '../columns/chunked.ts';
import type { Columns } from '../columns/columns.ts';
import type { Column } from '../columns/nested-level.ts';

/**
 * The size of each part of the columns, in elements or objects; the arrays follow in the same order. The names belong
 * to the file format: with other names, each version would read the documents of the other's indexes again.
 */
export interface ColumnsLayout {
  readonly liveCount: number;
  readonly ids: ColumnLayout;
  /** The nested levels, the documents first. */
  readonly spaces: readonly LevelLayout[];
}

interface LevelLayout {
  readonly path: string;
  readonly count: number;
  /** The number of parents, and of first children, listed. */
  readonly up: number;
  readonly start: number;
  readonly columns: readonly ColumnLayout[];
}

interface ColumnLayout {
  readonly path: string;
  /** How the strings are kept; unset: unchanged. */
  readonly form?: string | undefined;
  /** Distinct strings; absent for numbers. */
  readonly strings?: number;
  readonly chunks: readonly ChunkLayout[];
}

interface ChunkLayout {
  readonly count: number;
  /** Whether a list of offsets follows. */
  readonly lists: boolean;
  /** Whether exact values follow. */
  readonly exact: boolean;
}

/** The layout of the columns and their arrays, trimmed to the length in use. */
export const layColumns = (columns: Columns): { layout: ColumnsLayout; arrays: readonly TypedArray[] } => {
  const arrays: TypedArray[] = [columns.live.subarray(0, (columns.root.count + 31) >>> 5)];
  putChunked(arrays, columns.docIds);
  const ids = layColumn(arrays, columns.ids);
  const spaces = [...columns.tree.levels.values()].map((level) => {
    putChunked(arrays, level.parentOf);
    putChunked(arrays, level.childOffsets);
    return {
      path: level.path,
      count: level.count,
      up: level.parentOf.length,
      start: level.childOffsets.length,
      columns: level.columns.map((column) => layColumn(arrays, column)),
    };
  });
  return { layout: { liveCount: columns.liveCount, ids, spaces }, arrays };
};

/**
 * Whether a layout has the same levels and fields as these columns: another version may have read the mapping
 * differently.
 */
export const fitsColumns = (columns: Columns, layout: ColumnsLayout): boolean => {
  const names = (
    levels: readonly { path: string; columns: readonly { path: string; form?: string | undefined }[] }[],
  ): readonly string[] =>
    levels.flatMap((level) =>
      level.columns
        .map((column) => JSON.stringify([level.path, column.path, column.form]))
        .concat(level.path),
    );
  const levels = [...columns.tree.levels.values()].map(({ path, columns: all }) => ({
    path,
    columns: all.map((column) => ({ path: column.path, form: column.form?.name })),
  }));
  const expected = new Set(names(levels));
  const spaces = names(layout.spaces);
  return spaces.length === expected.size && spaces.every((name) => expected.has(name));
};

/** Fills empty columns of the same mapping from the output of layColumns. */
export const restoreColumns = (
  target: Columns,
  layout: ColumnsLayout,
  arrays: readonly TypedArray[],
): void => {
  const queue = new ArrayQueue(arrays);
  target.live = queue.next();
  target.liveCount = layout.liveCount;
  takeChunked(queue, target.docIds, layout.spaces[0]!.count);
  restoreColumn(queue, target.ids, layout.ids);
  for (const entry of layout.spaces) {
    const level = target.tree.levels.get(entry.path)!;
    level.count = entry.count;
    takeChunked(queue, level.parentOf, entry.up);
    takeChunked(queue, level.childOffsets, entry.start);
    // by path: fields added later are not in mapping order
    const columns = new Map(level.columns.map((column) => [column.path, column]));
    for (const stored of entry.columns) restoreColumn(queue, columns.get(stored.path)!, stored);
  }
};

class ArrayQueue {
  readonly #arrays: readonly TypedArray[];
  #position = 0;

  constructor(arrays: readonly TypedArray[]) {
    this.#arrays = arrays;
  }

  next<A extends TypedArray>(): A {
    return this.#arrays[this.#position++] as A;
  }
}

const putChunked = (arrays: TypedArray[], { chunks, length }: Chunked<Uint32Array | Float64Array>): void => {
  chunks.forEach((chunk, number) => arrays.push(chunk.subarray(0, length - number * chunkSize)));
};

const takeChunked = <A extends Uint32Array | Float64Array>(
  queue: ArrayQueue,
  chunked: Chunked<A>,
  length: number,
): void => {
  for (let number = 0; number * chunkSize < length; number++) chunked.chunks[number] = queue.next();
  chunked.length = length;
};

const layColumn = (arrays: TypedArray[], { path, data, form }: Column): ColumnLayout => {
  if (data.kind === 'keyword') {
    const { size, offsets, bytes, slots } = data.table;
    arrays.push(offsets.subarray(0, size + 1), bytes.subarray(0, offsets[size]), slots);
  }
  const chunks = data.chunks.map((chunk, number): ChunkLayout => {
    arrays.push(chunk.values.subarray(0, chunk.used));
    if (chunk.offsets !== null) arrays.push(chunk.offsets.subarray(0, chunk.count + 1));
    const exact = data.kind === 'number' ? data.exact[number] : null;
    if (exact) {
      // shorter than the values where the last objects have none
      const { buffer, byteOffset } = withRoom(exact, chunk.used);
      // as doubles: only the bits matter
      arrays.push(new Float64Array(buffer as ArrayBuffer, byteOffset, chunk.used));
    }
    return { count: chunk.count, lists: chunk.offsets !== null, exact: Boolean(exact) };
  });
  const kept = form === undefined ? {} : { form: form.name };
  return data.kind === 'keyword'
    ? { path, ...kept, strings: data.table.size, chunks }
    : { path, ...kept, chunks };
};

const restoreColumn = (queue: ArrayQueue, { data }: Column, layout: ColumnLayout): void => {
  if (data.kind === 'keyword') {
    data.table.size = layout.strings!;
    data.table.offsets = queue.next();
    data.table.bytes = queue.next();
    data.table.slots = queue.next();
  }
  layout.chunks.forEach(({ count, lists, exact }, number) => {
    const values = queue.next();
    const offsets = lists ? queue.next<Uint32Array>() : null;
    if (data.kind === 'keyword') {
      data.chunkAt(number).restore(count, values as Codes, offsets);
    } else {
      data.chunkAt(number).restore(count, values as Float64Array, offsets);
      data.restoreExact(number, exact ? queue.next() : null);
    }
  });
};
