import { TributaryError } from '../../errors.ts';

/** An answer that waits for its client in memory. */
export interface PendingResponse {
  /** To be called when its client takes of it. */
  readonly taken: () => void;
  /** To be called when it has left, whole or not. */
  readonly end: () => void;
}

export interface ResponseMemory {
  /**
   * Room for an answer of so many bytes.
   * @param leave ends the answer, when its client takes nothing of it and there is no room for others
   * @throws TributaryError NOT_READY
   */
  readonly take: (bytes: number, leave: () => void) => PendingResponse;
}

interface Kept {
  readonly bytes: number;
  readonly leave: () => void;
  takenMs: number;
}

/** A client that has taken nothing for so long may have to make room for another. */
const stalledMs = 2_000;

/** Room in memory for all large answers of a server together: a bound of each leaves open how many there are. */
export const responseMemory = (maxBytes: number): ResponseMemory => {
  // the one whose client has taken nothing for longest is first
  const waiting = new Set<Kept>();
  let bytes = 0;
  const end = (kept: Kept): void => {
    if (waiting.delete(kept)) bytes -= kept.bytes;
  };
  const makeRoom = (wanted: number): void => {
    const longAgo = performance.now() - stalledMs;
    for (const kept of waiting) {
      if (bytes + wanted <= maxBytes || kept.takenMs > longAgo) return;
      end(kept);
      kept.leave();
    }
  };
  return {
    take: (wanted, leave) => {
      makeRoom(wanted);
      if (bytes + wanted > maxBytes)
        throw new TributaryError('NOT_READY', 'too many large responses are in progress; try again soon');
      const kept = { bytes: wanted, leave, takenMs: performance.now() };
      bytes += wanted;
      waiting.add(kept);
      return {
        taken: () => {
          kept.takenMs = performance.now();
          if (waiting.delete(kept)) waiting.add(kept);
        },
        end: () => end(kept),
      };
    },
  };
};
