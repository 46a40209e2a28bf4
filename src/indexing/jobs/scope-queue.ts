/** What a job works on: overlapping scopes never run concurrently. */
export interface Scope {
  readonly indexName: string;
  readonly repositoryCode: string;
  /** Null: all of the repository. */
  readonly organization: string | null;
  /** The index is being replaced: nothing else may write to it meanwhile. */
  readonly wholeIndex: boolean;
}

/** Decides which waiting job may run: first come, first served, except that none waits for an unrelated one. */
export interface ScopeQueue {
  /** Appends to the queue. */
  add(jobId: string, scope: Scope): void;
  /** Removes a waiting job from the queue. @returns whether it was waiting */
  remove(jobId: string): boolean;
  /** Takes the next job that may run, which counts as running from now on; undefined if there is none. */
  next(): string | undefined;
  /** A running job has ended. */
  finish(jobId: string): void;
}

interface Waiting {
  readonly jobId: string;
  readonly position: number;
  readonly scope: Scope;
}

/** @param limit how many jobs may run concurrently */
export const newScopeQueue = (limit: number): ScopeQueue => {
  /** By scope: jobs of one scope run sequentially, so only the first of each queue can be next. */
  const lines = new Map<string, Waiting[]>();
  const running = new Map<string, Scope>();
  let added = 0;

  const firstFree = (): Waiting | undefined => {
    const firsts = [...lines.values()]
      .map((line) => line[0]!)
      .sort((left, right) => left.position - right.position);
    const before = newTakenScopes(running.values());
    for (const first of firsts) {
      if (!before.overlaps(first.scope)) return first;
      before.add(first.scope);
    }
    return undefined;
  };
  const take = (waiting: Waiting): void => {
    const key = keyOf(waiting.scope);
    const line = lines.get(key)!.filter((other) => other !== waiting);
    if (line.length === 0) lines.delete(key);
    else lines.set(key, line);
  };

  return {
    add: (jobId, scope) => {
      const key = keyOf(scope);
      const line = lines.get(key) ?? [];
      lines.set(key, line);
      line.push({ jobId, position: added++, scope });
    },
    remove: (jobId) => {
      const found = [...lines.values()].flat().find((waiting) => waiting.jobId === jobId);
      if (found !== undefined) take(found);
      return found !== undefined;
    },
    next: () => {
      const first = running.size < limit ? firstFree() : undefined;
      if (first === undefined) return undefined;
      take(first);
      running.set(first.jobId, first.scope);
      return first.jobId;
    },
    finish: (jobId) => void running.delete(jobId),
  };
};

/** Scopes that run, or wait in front: a set, since comparing thousands pairwise would take long. */
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
