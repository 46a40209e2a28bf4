/** One of the two engines, in a separate process: what the bench calls. Milliseconds are measured here. */
export interface Side {
  /** Writes documents 0 up to `count`, in durable batches; the time to make the documents does not count. */
  load(count: number): Promise<number>;
  /** Opens what was loaded, ready for a first query. */
  open(): Promise<void>;
  /** Runs a query of queries.ts by its position; a text form of its answer, to be compared. */
  run(query: number): Promise<string>;
  /** Replaces one document, durably. */
  upsert(position: number, edition: number): Promise<void>;
  close(): Promise<void>;
}

export type Request =
  | { readonly kind: 'load'; readonly count: number }
  | { readonly kind: 'open' | 'close' | 'memory' }
  | { readonly kind: 'run'; readonly query: number }
  | { readonly kind: 'upsert'; readonly position: number; readonly edition: number };

export interface Reply {
  readonly ms: number;
  /** Of the answer; '' where there is none. */
  readonly hash: string;
  /** Resident memory of the process, in MiB. */
  readonly residentMebibytes: number;
}
