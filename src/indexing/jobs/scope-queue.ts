/** The documents that a job affects: overlapping scopes never run concurrently. */
export interface Scope {
  readonly indexName: string;
  readonly repositoryCode: string;
  /** null: the whole repository. */
  readonly organization: string | null;
  /** The index is being replaced: nothing else may write to it until then. */
  readonly wholeIndex: boolean;
}

/** Decides which waiting job may run: first come, first served, but no job waits for an unrelated one. */
export interface ScopeQueue {
  /** Appends to the queue. */
  add(jobId: string, scope: Scope): void;
  /** Removes a waiting job from the queue. @returns whether it was waiting */
  remove(jobId: string): boolean;
  /** Takes the next job that may run and counts it as running; undefined if there is none. */
  next(): string | undefined;
  /** Notes that a running job has ended. */
  finish(jobId: string): void;
}

/** @param limit how many jobs may run concurrently */
export const newScopeQueue = (limit: number): ScopeQueue => {
  /** Waiting jobs in order of arrival. */
  const waiting = new Map<string, { readonly key: string; readonly scope: Scope }>();
  const running = new Map<string, Scope>();

  const firstFree = (): string | undefined => {
    const before = newTakenScopes(running.values());
    // jobs of one scope run sequentially, so only the first of each can be next
    const met = new Set<string>();
    for (const [jobId, { key, scope }] of waiting) {
      if (met.has(key)) continue;
      if (!before.overlaps(scope)) return jobId;
      before.add(scope);
      met.add(key);
    }
    return undefined;
  };

  return {
    add: (jobId, scope) => void waiting.set(jobId, { key: keyOf(scope), scope }),
    remove: (jobId) => waiting.delete(jobId),
    next: () => {
      const first = running.size < limit ? firstFree() : undefined;
      if (first === undefined) return undefined;
      running.set(first, waiting.get(first)!.scope);
      waiting.delete(first);
      return first;
    },
    finish: (jobId) => void running.delete(jobId),
  };
};

/** Scopes that are running or wait in front: as a set, since comparing thousands pairwise would take long. */
const newTakenScopes = (scopes: Iterable<Scope>) => {
  const taken = new Set<string>();
  const add = ({ indexName, repositoryCode, organization, wholeIndex }: Scope): void => {
    for (const part of [
      ['any', indexName],
      ['any', indexName, repositoryCode],
      ['one', indexName, repositoryCode, organization],
      ...(wholeIndex ? [['whole', indexName]] : []),
    ])
      taken.add(JSON.stringify(part));
  };
  const has = (...part: readonly (string | null)[]): boolean => taken.has(JSON.stringify(part));
  for (const scope of scopes) add(scope);
  return {
    add,
    overlaps: ({ indexName, repositoryCode, organization, wholeIndex }: Scope): boolean =>
      has('whole', indexName) ||
      (wholeIndex && has('any', indexName)) ||
      has('one', indexName, repositoryCode, null) ||
      (organization === null
        ? has('any', indexName, repositoryCode)
        : has('one', indexName, repositoryCode, organization)),
  };
};

const keyOf = ({ indexName, repositoryCode, organization, wholeIndex }: Scope): string =>
  JSON.stringify([indexName, repositoryCode, organization, wholeIndex]);
