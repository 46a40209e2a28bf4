/** The result of work that pauses, run to its end at once. */
export const ended = <Result>(work: Iterator<unknown, Result>): Result => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};
