/** Changes after which a snapshot is worth writing when idle; after many more, between requests as well. */
const changesBeforeSnapshot = 20_000;
const changesBeforePause = 500_000;
/** How long to wait after a failed snapshot, in milliseconds. */
const retryMs = 60_000;

/** Decides when the columns of an index are worth a snapshot, by how much has changed since the last one. */
export class SnapshotSchedule {
  #changes = 0;
  #nextAtMs = 0;

  /** Whether the last snapshot contains every change. */
  get isUpToDate(): boolean {
    return this.#changes === 0;
  }

  changed(count: number): void {
    this.#changes += count;
  }

  /** Marks the last snapshot as full of deleted documents. */
  outdated(): void {
    this.#changes += changesBeforeSnapshot;
  }

  /**
   * Whether a snapshot would make the next start much faster.
   * @param idle no request is waiting
   * @param liveCount the number of live documents
   */
  isDue(idle: boolean, liveCount: number): boolean {
    const min = idle ? changesBeforeSnapshot : Math.max(changesBeforePause, liveCount);
    return this.#changes >= min && Date.now() >= this.#nextAtMs;
  }

  /** Runs `write`; if it fails, the next attempt is due only after a while. */
  writing(write: () => void): void {
    this.#nextAtMs = Date.now() + retryMs;
    write();
    this.#nextAtMs = 0;
    this.#changes = 0;
  }
}
