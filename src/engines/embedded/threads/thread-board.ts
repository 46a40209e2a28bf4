/**
 * Shared memory between a thread and its callers: messages are only read between requests, this even during one. Every
 * request handed to the thread has a slot.
 */
export type ThreadBoard = Int32Array<SharedArrayBuffer>;

const stoppedAt = 0;
const attentionAt = 1;
const interruptionsAt = 2;
const firstSlot = 3;

/** The maximum number of requests handed to a thread at once. */
export const boardSlots = 61;

/** A board in shared memory, for all threads of an engine. */
export const newBoard = (): ThreadBoard =>
  new Int32Array(new SharedArrayBuffer(4 * (firstSlot + boardSlots)));

/** Clears a slot for another request. */
export const clearSlot = (board: ThreadBoard, slot: number): void => {
  Atomics.store(board, firstSlot + slot, 0);
};

/** Marks a request whose answer nobody is waiting for any more. */
export const stop = (board: ThreadBoard, slot: number): void => {
  Atomics.store(board, firstSlot + slot, 1);
};

/** Whether nobody waits for the search in a slot any more. */
export const isStopped = (board: ThreadBoard, slot: number): boolean =>
  Atomics.load(board, firstSlot + slot) !== 0;

/** Tells a thread to check for urgent requests, even during a search. */
export const callAttention = (board: ThreadBoard): void => {
  Atomics.store(board, attentionAt, 1);
};

/** Whether the thread has been told so since the last check. */
export const takeAttention = (board: ThreadBoard): boolean =>
  Atomics.load(board, attentionAt) !== 0 && Atomics.exchange(board, attentionAt, 0) !== 0;

/** Counts a request that interrupted another. */
export const countInterruption = (board: ThreadBoard): void => {
  Atomics.add(board, interruptionsAt, 1);
};

/** How many requests of the thread interrupted others. */
export const interruptions = (board: ThreadBoard): number => Atomics.load(board, interruptionsAt);

/** Counts a request that was stopped early. */
export const countStopped = (board: ThreadBoard): void => {
  Atomics.add(board, stoppedAt, 1);
};

/** How many requests the thread stopped early. */
export const stoppedRequests = (board: ThreadBoard): number => Atomics.load(board, stoppedAt);
