/**
 * The items of a generator, with the next one on its way while one is used: never more than one.
 * @param open makes the generator; its signal also ends the work on an item that nobody will take
 * @throws the signal's reason
 */
export async function* readAhead<Item>(
  open: (signal: AbortSignal) => AsyncGenerator<Item, void>,
  signal: AbortSignal,
): AsyncGenerator<Item, void> {
  const stop = new AbortController();
  const source = open(AbortSignal.any([signal, stop.signal]));
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      signal.throwIfAborted();
      next = source.next();
      // told when its turn comes
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    stop.abort();
    await source.return();
  }
}
