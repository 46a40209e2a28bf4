/** With more distinct keys than this, documents are re-read for every new field. */
const maxPaths = 1_000;

/**
 * The keys of documents, as dotted paths, with a value but no mapped field. A field mapped later can only have values
 * in stored documents if its path is among these, so most new fields need no re-reading.
 */
export class UnmappedKeys {
  /** null: too many to keep, or unknown. */
  #paths: Set<string> | null = new Set();

  add(path: string): void {
    if (this.#paths === null) return;
    this.#paths.add(path);
    if (this.#paths.size > maxPaths) this.#paths = null;
  }

  /** Whether a document may have a value at, below or above a path. */
  mayHold(path: string): boolean {
    // dotted keys are short for objects within objects
    return (
      this.#paths === null || [...this.#paths].some((seen) => isWithin(seen, path) || isWithin(path, seen))
    );
  }

  /** For a snapshot. */
  list(): readonly string[] | null {
    return this.#paths && [...this.#paths];
  }

  /** From a snapshot; older versions did not write it. */
  restore(list: readonly string[] | null | undefined): void {
    this.#paths = list ? new Set(list) : null;
  }
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);
