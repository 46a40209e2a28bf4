import type { ColumnsLayout, LevelLayout } from './snapshot-layout.ts';

/**
 * The layout of the columns as a snapshot's head holds it. The names are those of the file format: with others, each
 * version would read the documents of the other's indexes again.
 */
export interface StoredLayout extends Omit<ColumnsLayout, 'levels'> {
  readonly spaces: readonly StoredLevel[];
}

interface StoredLevel extends Omit<LevelLayout, 'parentOf' | 'childOffsets'> {
  readonly up: number;
  readonly start: number;
}

export const storedLayout = ({ levels, ...layout }: ColumnsLayout): StoredLayout => ({
  ...layout,
  spaces: levels.map(({ parentOf, childOffsets, ...level }) => ({
    ...level,
    up: parentOf,
    start: childOffsets,
  })),
});

export const readLayout = ({ spaces, ...layout }: StoredLayout): ColumnsLayout => ({
  ...layout,
  levels: spaces.map(({ up, start, ...level }) => ({ ...level, parentOf: up, childOffsets: start })),
});
