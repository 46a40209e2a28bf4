/**
 * What a thread shares with those who ask it, on shared memory: messages are read between requests only, this in the
 * middle of one. Each request that a thread has been given has a slot.
 */
export type ThreadBoard = Int32Array<SharedArrayBuffer>;

const stoppedAt = 0;
const attentionAt = 1;
const interruptionsAt = 2;
const firstSlot = 3;

/** Requests given to a thread at once, at most. */
export const boardSlots = 61;

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

/** Tells a thread to look at what is urgent, also in the middle of a search. */
export const callAttention = (board: ThreadBoard): void => {
  Atomics.store(board, attentionAt, 1);
};

/** Whether the thread was told so since it asked last. */
export const takeAttention = (board: ThreadBoard): boolean =>
  Atomics.load(board, attentionAt) !== 0 && Atomics.exchange(board, attentionAt, 0) !== 0;

/** Notes a request that was answered in the middle of another. */
export const countInterruption = (board: ThreadBoard): void => {
  Atomics.add(board, interruptionsAt, 1);
};

/** How many requests the thread has answered in the middle of others. */
export const interruptions = (board: ThreadBoard): number => Atomics.load(board, interruptionsAt);

/** Notes a request that was not worked on to its end. */
export const countStopped = (board: ThreadBoard): void => {
  Atomics.add(board, stoppedAt, 1);
};

/** How many requests the thread has stopped. */
export const stoppedRequests = (board: ThreadBoard): number => Atomics.load(board, stoppedAt);
