/** A snapshot is worth writing after so many changes, and even between requests after so many more. */
const changesBeforeSnapshot = 20_000;
const changesBeforePause = 500_000;
/** How long to wait after a snapshot that could not be written. */
const retryMs = 60_000;

/** When the columns of one index are worth a snapshot: how much has changed since the last one. */
export class SnapshotSchedule {
  #changes = 0;
  #nextAtMs = 0;

  /** Whether there is nothing that the last snapshot lacks. */
  get isUpToDate(): boolean {
    return this.#changes === 0;
  }

  changed(count: number): void {
    this.#changes += count;
  }

  /** The last snapshot holds much that is gone. */
  outdated(): void {
    this.#changes += changesBeforeSnapshot;
  }

  /**
   * Whether a snapshot would save the next start much work.
   * @param idle nobody waits for an answer
   * @param liveCount documents there are
   */
  isDue(idle: boolean, liveCount: number): boolean {
    const least = idle ? changesBeforeSnapshot : Math.max(changesBeforePause, liveCount);
    return this.#changes >= least && Date.now() >= this.#nextAtMs;
  }

  /** Runs `write`; one that fails is due again only after a while. */
  writing(write: () => void): void {
    this.#nextAtMs = Date.now() + retryMs;
    write();
    this.#nextAtMs = 0;
    this.#changes = 0;
  }
}
