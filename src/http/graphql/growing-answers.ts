import type { AskedOnce, GrowingAnswers } from '../../search/request-context.ts';

/** The queries of one request, each sent once, and when their answers change. */
export interface GrowingRequest {
  readonly growing: GrowingAnswers;
  /** Resolves with the first change after it resolved last, or when nothing more will change. */
  readonly next: () => Promise<void>;
  /** Whether all queries have ended. */
  readonly isWhole: () => boolean;
  /** How many changes there were: an answer during which one came may lack it. */
  readonly changes: () => number;
}

/** Starts a request without queries. */
export const openGrowingRequest = (): GrowingRequest => {
  const asked = new Map<string, AskedOnce<unknown>>();
  let running = 0;
  let change = Promise.withResolvers<undefined>();
  let changes = 0;
  let awaited = 0;
  const changed = (): void => {
    changes += 1;
    change.resolve(undefined);
    change = Promise.withResolvers();
  };
  const ended = (): void => {
    running -= 1;
    changed();
  };
  return {
    growing: {
      ask: <Answer>(key: string, start: (changed: () => void) => AskedOnce<Answer>): Answer => {
        const known = asked.get(key) as AskedOnce<Answer> | undefined;
        if (known) return known.now();
        const started = start(changed);
        asked.set(key, started);
        running += 1;
        started.ended.then(ended, ended);
        return started.now();
      },
    },
    next: async () => {
      if (running > 0 && changes === awaited) await change.promise;
      awaited = changes;
    },
    isWhole: () => running === 0,
    changes: () => changes,
  };
};
