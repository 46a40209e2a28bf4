/**
 * What a thread shares with those who ask it, on shared memory: messages are read between requests only, this in the
 * middle of one. Each request that a thread has been given has a slot.
 */
export type ThreadBoard = Int32Array<SharedArrayBuffer>;

const stoppedAt = 0;
const firstSlot = 1;

/** Requests given to a thread at once, at most. */
export const boardSlots = 63;

export const newBoard = (): ThreadBoard =>
  new Int32Array(new SharedArrayBuffer(4 * (firstSlot + boardSlots)));

/** Makes a slot ready for another request. */
export const clearSlot = (board: ThreadBoard, slot: number): void => {
  Atomics.store(board, firstSlot + slot, 0);
};

/** Nobody waits for the answer to a request any more. */
export const stop = (board: ThreadBoard, slot: number): void => {
  Atomics.store(board, firstSlot + slot, 1);
};

export const isStopped = (board: ThreadBoard, slot: number): boolean =>
  Atomics.load(board, firstSlot + slot) !== 0;

/** Notes a request that was not worked on to its end. */
export const countStopped = (board: ThreadBoard): void => {
  Atomics.add(board, stoppedAt, 1);
};

/** How many requests the thread has stopped. */
export const stoppedRequests = (board: ThreadBoard): number => Atomics.load(board, stoppedAt);
