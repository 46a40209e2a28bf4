import { TributaryError } from '../../errors/errors.ts';

/** A response held in memory until its client has read it. */
export interface PendingResponse {
  /** To be called when the client reads some of it. */
  readonly taken: () => void;
  /** To be called when it has been sent or abandoned. */
  readonly end: () => void;
}

export interface ResponseMemory {
  /**
   * Reserves memory for a response of that many bytes.
   * @param leave aborts the response if its client reads nothing and the room is needed for others
   * @throws TributaryError NOT_READY
   */
  readonly take: (bytes: number, leave: () => void) => PendingResponse;
}

interface Kept {
  readonly bytes: number;
  readonly leave: () => void;
  takenMs: number;
}

/** A client that has read nothing for this long may be dropped to make room for another. */
const stalledMs = 2_000;

/** Bounds the memory of all large responses together; a limit per response does not bound their number. */
export const responseMemory = (maxBytes: number): ResponseMemory => {
  // ordered by how long the client has read nothing, longest first
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
