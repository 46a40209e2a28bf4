/** Documents with more different keys than this are read again for every new field. */
const maxPaths = 1_000;

/**
 * The keys of documents, as dotted paths, that held a value no field was mapped for. A field that is mapped later has
 * values in the documents stored only if they are among these, so most new fields cost no reading.
 */
export class UnmappedKeys {
  /** null: too many to keep, or not known. */
  #paths: Set<string> | null = new Set();

  add(path: string): void {
    if (this.#paths === null) return;
    this.#paths.add(path);
    if (this.#paths.size > maxPaths) this.#paths = null;
  }

  /** Whether a document may have held a value at a path, or below or above it. */
  mayHold(path: string): boolean {
    // keys with dots stand for objects within objects
    return (
      this.#paths === null || [...this.#paths].some((seen) => isWithin(seen, path) || isWithin(path, seen))
    );
  }

  /** For a snapshot. */
  list(): readonly string[] | null {
    return this.#paths && [...this.#paths];
  }

  /** From a snapshot, which older versions wrote without. */
  restore(list: readonly string[] | null | undefined): void {
    this.#paths = list ? new Set(list) : null;
  }
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);
