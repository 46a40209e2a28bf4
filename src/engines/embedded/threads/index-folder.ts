import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TributaryError } from '../../../errors.ts';
import { isJsonObject, type JsonObject } from '../../../json.ts';
import type { IndexAction, IndexDescription, SearchQuery, WriteOutcome } from '../../engine.ts';
import type { Aliases } from '../store/aliases.ts';
import { NotNow } from '../columns/checkpoint.ts';
import { makeDataPath } from '../store/data-path.ts';
import { fileError, isLackOfRoom } from '../store/file-error.ts';
import { canBeWritten } from '../store/database.ts';
import { fileNameOf } from '../store/file-names.ts';
import { openAliases } from '../store/folder-files.ts';
import { extendMapping } from '../index/extend-mapping.ts';
import { columnStatistics } from '../index/index-statistics.ts';
import { LiveIndex } from '../index/live-index.ts';
import type { TextOperation } from '../index/write-operation.ts';
import type { SearchReply, SharedIndex } from './messages.ts';
import type { SearchRun } from '../query/search-run.ts';
import { searchReply } from './search-reply.ts';
import { shareColumns, tokenOf } from '../index/shared-columns.ts';
import { createStore, isStoreDeleted, markStoreDeleted, rememberAliases } from '../store/store-file.ts';
import { DocumentGone } from '../store/store.ts';
import { removeTemporaryFiles } from '../store/temporary-file.ts';

/** Documents of other processes replayed before requests get a turn. */
const catchUpSlice = 1_000;
/** Documents a compaction copies in one go. */
const compactionSlice = 250;

interface OpenIndex {
  readonly index: LiveIndex;
  readonly path: string;
  /** Of the index file, which another process may replace. */
  readonly inode: number;
}

/** All indexes and aliases of a data folder. Everything here blocks and therefore runs in the engine's own thread. */
export class IndexFolder {
  readonly #folder: string;
  readonly #aliases: Aliases;
  readonly #open = new Map<string, OpenIndex>();

  constructor(folder: string) {
    makeDataPath(folder);
    this.#folder = folder;
    this.#aliases = openAliases(folder);
  }

  /** @throws TributaryError index_not_found */
  describe(name: string): IndexDescription {
    const indices = this.#indicesOf(name);
    const open = indices.map((index) => this.#index(index));
    for (const index of open) index.catchUp(Infinity);
    const aliases = new Set(indices.flatMap((index) => this.#aliases.of(index)));
    aliases.delete(name);
    return {
      indices,
      aliases: [...aliases],
      properties: open.reduce<JsonObject>(
        (merged, { mapping }) => extendMapping(merged, propertiesOf(mapping)),
        {},
      ),
      documents: open.reduce((sum, { columns }) => sum + columns.liveCount, 0),
      statistics: columnStatistics(open[0]!.columns, statSync(this.#path(indices[0]!)).size),
      ...dynamicOf(open[0]!.mapping),
    };
  }

  /** Whether an index is open and unchanged, so that a search changes nothing. */
  isAtHand(name: string): boolean {
    const index = this.#onlyIndexOf(name);
    const known = this.#open.get(index);
    return known !== undefined && !known.index.isBroken && known.inode === inodeOf(known.path);
  }

  /** @throws SearchStopped, NotNow, TributaryError index_not_found, BAD_USER_INPUT */
  search(name: string, query: SearchQuery, running?: SearchRun): SearchReply {
    const index = this.#index(this.#onlyIndexOf(name));
    const reply = (): SearchReply => {
      const { columns, generation } = index;
      return searchReply(columns, { state: tokenOf(columns), generation }, index.documents, query, running);
    };
    try {
      return reply();
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
      if (running?.isInside === true) throw new NotNow();
      return index.upToDate(reply);
    }
  }

  /**
   * The columns for other threads; null when `known` is still their token.
   * @throws TributaryError index_not_found
   */
  share(name: string, known: string | null): SharedIndex | null {
    const index = this.#onlyIndexOf(name);
    const { columns, mapping, generation } = this.#index(index);
    return tokenOf(columns) === known
      ? null
      : { ...shareColumns(columns, mapping, this.#path(index)), generation };
  }

  /** @throws TributaryError index_not_found */
  write(name: string, operations: readonly TextOperation[]): readonly WriteOutcome[] {
    return this.#writable(this.#onlyIndexOf(name)).write(operations);
  }

  /** Applies acknowledged writes to the columns. */
  follow(): void {
    for (const { index } of this.#open.values()) {
      try {
        index.follow();
      } catch (error) {
        // the write stands: the next request reopens the index, and fails if that fails too
        if (!index.isBroken) throw error;
      }
    }
  }

  /** @throws TributaryError index_not_found, CONFLICT */
  manage(action: IndexAction): void {
    switch (action.kind) {
      case 'create':
        return this.#create(action.index, action.mapping);
      case 'extend':
        return this.#writable(this.#onlyIndexOf(action.index)).extend(action.properties);
      case 'delete':
        return this.#delete(action.index);
      case 'alias':
        return this.#alias(action.alias, action.indices, action.replacesIndex === true);
    }
  }

  /** Replays some of what other processes wrote. Returns whether there is more. */
  catchUp(): boolean {
    let more = false;
    for (const [name, { index }] of [...this.#open]) {
      try {
        if (index.isReadOnly) this.#retry(name);
        more = !this.#index(name).catchUp(catchUpSlice) || more;
      } catch (error) {
        // the next request reopens it and reports what is wrong
        if (error instanceof TributaryError) this.#forget(name);
        else throw error;
      }
    }
    return more;
  }

  /** Reclaims some of the space of deleted documents. Returns whether there is more to do. */
  compact(): boolean {
    // every index gets its turn
    return [...this.#open.values()].map(({ index }) => index.compact(compactionSlice)).includes(true);
  }

  /**
   * Writes the snapshots that are worth it. A failed one only makes the next start slower, so it is reported and
   * retried later.
   * @param idle no request is waiting
   */
  writeSnapshots(idle: boolean): readonly TributaryError[] {
    return this.#snapshots(({ index }) => index.wantsSnapshot(idle));
  }

  /** Writes all snapshots and closes all files; returns the errors of failed snapshots. */
  close(): readonly TributaryError[] {
    try {
      return this.#snapshots(() => true);
    } finally {
      for (const name of [...this.#open.keys()]) this.#forget(name);
      this.#aliases.close();
    }
  }

  #snapshots(isWanted: (open: OpenIndex) => boolean): readonly TributaryError[] {
    return [...this.#open].flatMap(([name, open]) => {
      try {
        if (!open.index.isBroken && isWanted(open)) open.index.snapshot();
        return [];
      } catch (error) {
        const reason = fileError(error, `the snapshot of index ${name}`);
        if (reason === null) throw error;
        return [reason];
      }
    });
  }

  #create(name: string, mapping: JsonObject): void {
    const taken = this.#isAlias(name);
    if (existsSync(this.#path(name)) && isStoreDeleted(this.#path(name))) this.#removeFiles(name);
    if (taken || !createStore(this.#path(name), mapping)) {
      throw new TributaryError('CONFLICT', `${taken ? 'alias' : 'index'} ${name} exists already`);
    }
  }

  #delete(name: string): void {
    if (this.#isAlias(name)) {
      throw new TributaryError('BAD_USER_INPUT', `${name} is an alias: delete the indexes behind it`);
    }
    this.#deleteIndex(name);
  }

  /** An alias whose indexes are all gone no longer counts. */
  #isAlias(name: string): boolean {
    const behind = this.#aliases.indices(name);
    if (behind.some((index) => existsSync(this.#path(index)))) return true;
    if (behind.length > 0) this.#aliases.set(name, []);
    return false;
  }

  #deleteIndex(name: string): void {
    this.#forget(name);
    if (existsSync(this.#path(name))) markDeleted(this.#path(name));
    this.#removeFiles(name);
    try {
      this.#aliases.forget(name);
    } catch (error) {
      // an alias of a deleted index does not count
      if (!isLackOfRoom(error)) throw error;
    }
  }

  #removeFiles(name: string): void {
    for (const ending of ['', '-wal', '-shm']) rmSync(this.#path(name) + ending, { force: true });
    rmSync(this.#snapshotPath(name), { force: true });
  }

  #alias(alias: string, indices: readonly string[], replacesIndex: boolean): void {
    const isTaken = existsSync(this.#path(alias));
    if (isTaken && !replacesIndex) throw new TributaryError('CONFLICT', `index ${alias} exists already`);
    const missing = indices.find((index) => !existsSync(this.#path(index)));
    if (missing !== undefined) throw notFound(missing);
    this.#remember(alias, indices);
    this.#aliases.set(alias, indices);
    // aliases take precedence over indexes, so the name resolves throughout
    if (isTaken) this.#deleteIndex(alias);
  }

  /** Aliases are recorded in the indexes before the table, so that it can be rebuilt from them. */
  #remember(alias: string, indices: readonly string[]): void {
    for (const index of new Set([...this.#aliases.indices(alias), ...indices])) {
      if (!existsSync(this.#path(index))) continue;
      const others = this.#aliases.of(index).filter((one) => one !== alias);
      rememberAliases(this.#path(index), indices.includes(index) ? [...others, alias] : others);
    }
  }

  #indicesOf(name: string): readonly string[] {
    const behind = this.#aliases.indices(name);
    return behind.length > 0 ? behind : [name];
  }

  #onlyIndexOf(name: string): string {
    const [index, ...others] = this.#indicesOf(name);
    if (index !== undefined && others.length === 0) return index;
    throw new TributaryError(
      'BAD_USER_INPUT',
      `alias ${name} names ${others.length + 1} indexes, this engine works on one at a time`,
    );
  }

  /** As `#index`, but a read-only one is reopened. */
  #writable(name: string): LiveIndex {
    if (this.#open.get(name)?.index.isReadOnly === true) this.#retry(name);
    return this.#index(name);
  }

  /** Closes a read-only index once its file is writable, for other processes too. */
  #retry(name: string): void {
    if (canBeWritten(this.#path(name))) this.#forget(name);
  }

  /** The index of that name, opened if necessary and reopened when its file was replaced. */
  #index(name: string): LiveIndex {
    const known = this.#open.get(name);
    const path = known?.path ?? this.#path(name);
    const inode = inodeOf(path);
    if (known !== undefined && known.inode === inode && !known.index.isBroken) return known.index;
    this.#forget(name);
    if (inode === undefined) throw notFound(name);
    const index = openIndex(name, path, this.#snapshotPath(name));
    this.#open.set(name, { index, path, inode });
    return index;
  }

  #forget(name: string): void {
    this.#open.get(name)?.index.close();
    this.#open.delete(name);
  }

  #path(name: string): string {
    return join(this.#folder, `${fileNameOf(name)}.sqlite`);
  }

  #snapshotPath(name: string): string {
    return join(this.#folder, `${fileNameOf(name)}.snapshot`);
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

const openIndex = (name: string, path: string, snapshotPath: string): LiveIndex => {
  removeTemporaryFiles(snapshotPath);
  try {
    const index = new LiveIndex(path, snapshotPath);
    if (index.isReadOnly) warnOfFullDisk(name);
    return index;
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'index_not_found') throw notFound(name);
    throw error;
  }
};

const warnOfFullDisk = (name: string): void =>
  process.emitWarning(
    `the disk has no room: index ${name} is served as it is, and writes to it are refused until some space is free`,
    'TributaryWarning',
  );

/** A damaged file, or one on a full disk, cannot be marked as deleted and need not be. */
const markDeleted = (path: string): void => {
  try {
    markStoreDeleted(path);
  } catch (error) {
    if (!isLackOfRoom(error) && fileError(error, path)?.code !== 'ENGINE_ERROR') throw error;
  }
};

const notFound = (name: string): TributaryError =>
  new TributaryError('index_not_found', `index ${name} does not exist; load documents into it first`);

const propertiesOf = (mapping: JsonObject): JsonObject =>
  isJsonObject(mapping['properties']) ? mapping['properties'] : {};

/** The mapping's `dynamic`, when it is set. */
const dynamicOf = ({ dynamic }: JsonObject): Pick<IndexDescription, 'dynamic'> =>
  typeof dynamic === 'string' || typeof dynamic === 'boolean' ? { dynamic } : {};
