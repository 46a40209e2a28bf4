/** Runs `work` when everything asked for before under the same key has ended, and gives what it gives. */
export type KeyedLock = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** A new lock, with nothing under way. */
export const newKeyedLock = (): KeyedLock => {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const forget = (): void => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
};
