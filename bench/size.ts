const isSmallest = process.env['BENCH_SIZE'] === 'smallest';

/** A number that a bench's duration depends on: with BENCH_SIZE=smallest, as tests start it, the one that takes seconds. */
export const sized = <Size>(usual: Size, smallest: Size): Size => (isSmallest ? smallest : usual);
