import { hash } from 'node:crypto';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { WriteOutcome } from '../../engine.ts';
import { Columns } from '../columns/columns.ts';
import { mappingTree } from '../columns/mapping-tree.ts';
import { differences } from './differences.ts';
import { Compaction, isMostlyDead, parsed, replay, type ReplayCheckpoint } from './replay.ts';
import type { StoreChange, TextOperation } from './write-operation.ts';
import { extendMapping, applyToColumns, applyToStore } from './write-operation.ts';
import { SnapshotSchedule, readSnapshot, writeSnapshot, type SnapshotHead } from '../store/snapshot.ts';
import type { DocumentSource } from '../query/search.ts';
import { incarnationOf } from '../../semantics/incarnation.ts';
import { damagedStore } from '../store/store-file.ts';
import { DocumentStore, type StoreState } from '../store/store.ts';

/** One open index: its documents on disk and its columns in memory, kept in sync. */
export class LiveIndex {
  /** Named by the cursors of this index, see incarnationOf. */
  readonly incarnation: string;
  readonly #store: DocumentStore;
  readonly #snapshotPath: string;
  #mappingText: string;
  #columns: Columns;
  /** Written changes, acknowledged or about to be, not yet applied to the columns. */
  #pending: readonly StoreChange[] = [];
  /** How far the columns, including pending changes, have come, and at which data version of the store. */
  #checkpoint: ReplayCheckpoint = { seqNo: 0, deletion: 0 };
  #dataVersion = -1;
  #generation = { of: '', name: '' };
  #lastWriteMs: number | undefined;
  readonly #snapshots = new SnapshotSchedule();
  #compaction: Compaction | null = null;
  #broken = false;

  /** @throws TributaryError index_not_found, mapping_fetch_error */
  constructor(path: string, snapshotPath: string) {
    this.#store = new DocumentStore(path);
    this.incarnation = incarnationOf(this.#store.uid);
    this.#snapshotPath = snapshotPath;
    try {
      this.#mappingText = this.#store.state().mappingText;
      this.#columns = new Columns(this.mapping);
      this.#load(this.#store.state());
      this.catchUp(Infinity);
    } catch (error) {
      this.#store.close();
      throw error;
    }
  }

  get documents(): DocumentSource {
    return this.#store;
  }

  /** Whether an error left the columns half changed; the index must then be reopened. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** Whether the index is read-only, as on a full disk; reopen it once that is over. */
  get isReadOnly(): boolean {
    return this.#store.refusal !== null;
  }

  /** The columns, with everything written here applied. */
  get columns(): Columns {
    this.follow();
    return this.#columns;
  }

  /**
   * Identifies the state of documents and mapping: equal values mean equal data, even after a restart. It does not reveal
   * the number of documents.
   */
  get generation(): string {
    const { seqNo: number, deletion } = this.#checkpoint;
    const of = `${this.#store.uid} ${number} ${deletion} ${this.#mappingText}`;
    if (this.#generation.of !== of) this.#generation = { of, name: hash('sha256', of).slice(0, 32) };
    return this.#generation.name;
  }

  /** When its documents were last written or deleted, in milliseconds since 1970; undefined: not known. */
  get lastWriteMs(): number | undefined {
    return this.#lastWriteMs;
  }

  get mapping(): JsonObject {
    return JSON.parse(this.#mappingText) as JsonObject;
  }

  /** Whether a snapshot would make the next start much faster. @param idle no request is waiting */
  wantsSnapshot(idle: boolean): boolean {
    return this.#snapshots.isDue(idle, this.columns.liveCount);
  }

  /**
   * Applies operations in order as one durable write. A malformed document is rejected individually. The columns are
   * updated before anything reads them, so acknowledgements need not wait for them.
   * @throws TributaryError index_not_found when the index has been deleted
   */
  write(operations: readonly TextOperation[]): readonly WriteOutcome[] {
    const changes: StoreChange[] = [];
    const { outcomes, checkpoint, lastWriteMs } = this.#store.transaction(() => {
      this.catchUp(Infinity);
      let { seqNo } = this.#checkpoint;
      const done = operations.map((operation) => {
        const { outcome, change } = applyToStore(this.#store, this.columns.tree, operation, seqNo + 1);
        if (change?.row !== undefined) seqNo++;
        if (change !== undefined) changes.push(change);
        return outcome;
      });
      this.#store.setMeta('last', seqNo);
      const checkpoint = { seqNo, deletion: this.#store.lastDeletion() };
      if (changes.length === 0) return { outcomes: done, checkpoint, lastWriteMs: this.#lastWriteMs };
      const nowMs = Date.now();
      this.#store.setMeta('written', nowMs);
      return { outcomes: done, checkpoint, lastWriteMs: nowMs };
    });
    this.#pending = changes;
    this.#checkpoint = checkpoint;
    this.#lastWriteMs = lastWriteMs;
    this.#snapshots.changed(changes.length);
    return outcomes;
  }

  /** Applies pending changes to the columns. */
  follow(): void {
    const changes = this.#pending;
    if (changes.length === 0) return;
    this.#pending = [];
    this.#changing(() => {
      for (const change of changes) applyToColumns(this.#columns, change);
      this.#columns.seal();
    });
  }

  /**
   * Adds fields to the mapping and fills their columns from the stored documents.
   * @throws TributaryError CONFLICT; BAD_USER_INPUT as `mappingTree`
   */
  extend(properties: JsonObject): void {
    this.#store.transaction(() => {
      this.catchUp(Infinity);
      const mapping = this.mapping;
      const grown = { ...mapping, properties: extendMapping(mapping['properties'], properties) };
      mappingTree(grown);
      this.#store.setMeta('mapping', JSON.stringify(grown));
    });
    this.#changing(() => this.#takeMapping(this.#store.state().mappingText));
  }

  /**
   * Replays what other processes have written, at most `limit` documents. Returns whether it is complete.
   * @throws TributaryError index_not_found when the index was deleted
   */
  catchUp(limit: number): boolean {
    this.follow();
    const version = this.#store.dataVersion();
    if (version === this.#dataVersion) return true;
    return this.#store.reading(() => {
      const state = this.#store.state();
      if (state.deleted) throw new TributaryError('index_not_found', 'the index was deleted');
      const afresh = this.#checkpoint.deletion < state.trimmed;
      // a search must never see part of an index
      const complete = this.#changing(() => {
        if (afresh) this.#load(state);
        this.#takeMapping(state.mappingText);
        return this.#replay(state.lastDocId, afresh ? Infinity : limit);
      });
      if (complete) {
        this.#dataVersion = version;
        this.#lastWriteMs = state.lastWriteMs;
      }
      return complete;
    });
  }

  /** Runs `work` on a consistent state of the documents, with the columns up to date. */
  upToDate<Result>(work: () => Result): Result {
    return this.#store.reading(() => {
      this.catchUp(Infinity);
      return work();
    });
  }

  /**
   * Continues reclaiming the space of deleted documents, at most `limit` documents at a time. Returns whether there is
   * more to do.
   */
  compact(limit: number): boolean {
    if (!isMostlyDead(this.columns)) return false;
    return this.#store.reading(() => {
      if (!this.catchUp(limit)) return true;
      if (!this.#compaction?.isFor(this.columns))
        this.#compaction = new Compaction(this.mapping, this.columns);
      if (!this.#compaction.step(this.#store, this.#checkpoint.seqNo, limit) || !this.#compaction.finish())
        return true;
      this.#columns = this.#compaction.columns;
      this.#compaction = null;
      this.#snapshots.outdated();
      return false;
    });
  }

  /** Describes what is wrong with the file or the columns; empty when nothing is. */
  verify(): readonly string[] {
    const problems = this.#store.problems();
    if (problems.length > 0) return [damagedStore().message, ...problems];
    return this.upToDate(() => differences(this.columns, this.#store.documents()));
  }

  /** Reclaims the space of all deleted documents, in memory and on disk, and writes the snapshot. */
  shrink(): void {
    this.follow();
    this.#store.shrink();
    this.#changing(() => this.#reset());
    this.catchUp(Infinity);
    this.snapshot();
  }

  /** Writes the columns next to the documents and trims the deletions they contain. */
  snapshot(): void {
    const { deleted, trimmed } = this.#store.state();
    // a newer one by another process is better
    if (this.isReadOnly || this.#snapshots.isUpToDate || deleted || this.#checkpoint.deletion < trimmed)
      return;
    this.#snapshots.writing(() => writeSnapshot(this.#snapshotPath, this.#head(), this.columns));
    this.#store.trimDeletions(this.#checkpoint.deletion);
  }

  close(): void {
    this.#store.close();
  }

  #head(): SnapshotHead {
    return {
      uid: this.#store.uid,
      mapping: this.#mappingText,
      number: this.#checkpoint.seqNo,
      deletion: this.#checkpoint.deletion,
    };
  }

  /**
   * Loads the columns from the snapshot if it fits the documents, otherwise starts empty; the rest has to be replayed.
   */
  #load(state: StoreState): void {
    this.#mappingText = state.mappingText;
    const columns = new Columns(this.mapping);
    const head = readSnapshot(this.#snapshotPath, this.#head(), columns);
    if (head === null || head.deletion < state.trimmed || head.number > state.lastDocId) {
      this.#reset();
      return;
    }
    this.#columns = columns;
    this.#checkpoint = { seqNo: head.number, deletion: head.deletion };
    this.#dataVersion = -1;
  }

  /** Starts with empty columns; earlier deletions concern documents no longer stored. */
  #reset(): void {
    this.#columns = new Columns(this.mapping);
    this.#checkpoint = { seqNo: 0, deletion: this.#store.state().trimmed };
    this.#dataVersion = -1;
    this.#snapshots.changed(1);
  }

  /** Runs a change of the columns; an error leaves it half done. */
  #changing<Result>(change: () => Result): Result {
    try {
      return change();
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }

  #replay(lastDocId: number, limit: number): boolean {
    const { seqNo, deletion, changes, isComplete } = replay(
      this.#store,
      this.columns,
      this.#checkpoint,
      lastDocId,
      limit,
    );
    this.#checkpoint = { seqNo, deletion };
    this.#snapshots.changed(changes);
    return isComplete;
  }

  #takeMapping(text: string): void {
    if (text === this.#mappingText) return;
    this.#mappingText = text;
    this.columns.extend(this.mapping, parsed(this.#store.documents()));
    this.#snapshots.changed(1);
  }
}
