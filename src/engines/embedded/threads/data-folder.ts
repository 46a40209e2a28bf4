import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Aliases } from '../store/aliases.ts';
import { rejectFile } from '../store/data-path.ts';
import { fileError } from '../store/file-error.ts';
import { fileNameOf, indexNames, openAliases, unknownFiles } from '../store/folder-files.ts';
import { IndexFolder } from './index-folder.ts';
import { LiveIndex } from '../index/live-index.ts';
import { nameClaims, type NameClaim } from '../store/claim.ts';
import { snapshotState } from '../store/snapshot.ts';
import { damagedStore, isStoreDeleted } from '../store/store-file.ts';
import { DocumentStore, type StoredDocument } from '../store/store.ts';

/** What an admin sees of one index. */
export interface IndexSummary {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly documents: number;
  /** Bytes on disk, of the documents and of the snapshot. */
  readonly documentBytes: number;
  readonly snapshotBytes: number;
  /** When the snapshot was written, epoch ms; null when there is none. */
  readonly snapshotAt: number | null;
  /** {dynamic, properties}. */
  readonly mapping: JsonObject;
}

/**
 * Administers a data folder, even while a server has it open. Errors are TributaryError as documented on the port; a
 * name may be an alias of a single index.
 */
export class DataFolder {
  readonly #folder: string;

  /** @throws TributaryError CONFIG_INVALID when it is a file */
  constructor(folder: string) {
    rejectFile(folder);
    this.#folder = folder;
  }

  /**
   * The names of all indexes, in order, without those whose deletion was interrupted, and without leftovers of an interrupted
   * replacement beside an alias of that name.
   */
  names(): readonly string[] {
    const all = indexNames(this.#folder).filter((name) => !this.#isDeleted(name));
    const isReplaced = (aliases: Aliases, name: string): boolean =>
      aliases.indices(name).some((index) => all.includes(index));
    // nothing is written to a folder without indexes
    return all.length === 0
      ? all
      : this.#aliases((aliases) => all.filter((name) => !isReplaced(aliases, name)), all);
  }

  /** Files that look like an index but are not. */
  strangers(): readonly string[] {
    return unknownFiles(this.#folder);
  }

  /** Indexes whose deletion was interrupted before their files were removed. */
  halfDeleted(): readonly string[] {
    return indexNames(this.#folder).filter((name) => this.#isDeleted(name));
  }

  /** Indexes that a load is creating, or left behind when it was killed, each with its claim. */
  unfinished(): readonly { readonly index: string; readonly claim: NameClaim }[] {
    return nameClaims(this.#folder).flatMap((claim) =>
      claim.claimant.indexes
        .filter((index) => existsSync(this.#path(index, 'sqlite')))
        .filter((index) => index === claim.name || this.#isUnnamed(index))
        .map((index) => ({ index, claim })),
    );
  }

  /** @throws TributaryError index_not_found, mapping_fetch_error, ENGINE_ERROR for a damaged file */
  summary(nameOrAlias: string): IndexSummary {
    const name = this.#resolve(nameOrAlias);
    const snapshot = statSync(this.#path(name, 'snapshot'), { throwIfNoEntry: false });
    return this.#onStore(name, (store) => ({
      name,
      aliases: this.#aliases((aliases) => aliases.of(name), []),
      documents: store.count(),
      documentBytes: ['sqlite', 'sqlite-wal'].reduce((sum, ending) => sum + this.#bytes(name, ending), 0),
      snapshotBytes: this.#bytes(name, 'snapshot'),
      snapshotAt: snapshot === undefined ? null : snapshot.mtimeMs,
      mapping: JSON.parse(store.state().mappingText) as JsonObject,
    }));
  }

  /** Describes the damage to an index's file; null when it is intact. Columns and snapshot are not checked. */
  damage(nameOrAlias: string): string | null {
    const name = this.#resolve(nameOrAlias);
    return this.#onStore(name, (store) => (store.problems().length === 0 ? null : damagedStore().message));
  }

  /** Describes what is wrong with an index; empty when nothing is. */
  verify(nameOrAlias: string): readonly string[] {
    const name = this.#resolve(nameOrAlias);
    const snapshot = snapshotState(this.#path(name, 'snapshot'));
    const damaged = ['the snapshot is damaged: the next start rebuilds the columns from the documents'];
    const stored = this.#onStore(name, (store) => [...store.problems(), ...store.damagedDocuments()]);
    return [
      ...(snapshot === 'damaged' ? damaged : []),
      // the columns of such documents cannot be rebuilt
      ...(stored.length > 0
        ? [damagedStore().message, ...stored]
        : this.#onIndex(name, (index) => index.verify())),
    ];
  }

  /** Reclaims the space of deleted documents and rewrites the snapshot. */
  compact(nameOrAlias: string): void {
    this.#onIndex(this.#resolve(nameOrAlias), (index) => index.shrink());
  }

  /** Deletes an index, damaged or not; does not accept aliases. @throws TributaryError BAD_USER_INPUT for an alias */
  delete(nameOrAlias: string): void {
    const behind = this.#aliases((aliases) => aliases.indices(nameOrAlias), []);
    const present = behind.filter((name) => existsSync(this.#path(name, 'sqlite')));
    if (present.length > 0)
      throw badUserInput(`${nameOrAlias} is an alias: delete ${present.join(', ')} instead`);
    // an alias left over from a deleted index is not an index, but is removed all the same
    const isLeft = behind.length > 0 || this.#isDeleted(nameOrAlias);
    const name = isLeft ? nameOrAlias : this.#resolve(nameOrAlias);
    const folder = new IndexFolder(this.#folder);
    try {
      this.#inFolder(name, () => folder.manage({ kind: 'delete', index: name }));
    } finally {
      folder.close();
    }
  }

  /** All documents in the state at the first read, in the order they were written. */
  *documents(nameOrAlias: string): Generator<StoredDocument> {
    const name = this.#resolve(nameOrAlias);
    const store = this.#inFolder(name, () => new DocumentStore(this.#path(name, 'sqlite')));
    try {
      yield* store.documents();
    } catch (error) {
      throw fileError(error, `index ${name}`) ?? error;
    } finally {
      store.close();
    }
  }

  /** @throws TributaryError index_not_found listing the existing indexes */
  #resolve(nameOrAlias: string): string {
    const behind = this.#aliases((aliases) => aliases.indices(nameOrAlias), []);
    if (behind.length > 1) {
      throw badUserInput(`${nameOrAlias} is an alias of ${behind.join(', ')}: name one of them`);
    }
    const name = behind[0] ?? nameOrAlias;
    if (existsSync(this.#path(name, 'sqlite')) && !this.#isDeleted(name)) return name;
    const names = this.names();
    const known = names.length === 0 ? 'the data folder has none' : `there are ${names.join(', ')}`;
    throw new TributaryError('index_not_found', `index ${name} does not exist: ${known}`);
  }

  /** Whether a deletion of the index was interrupted; false for a damaged file. */
  #isDeleted(name: string): boolean {
    const path = this.#path(name, 'sqlite');
    try {
      return isStoreDeleted(path);
    } catch (error) {
      if (fileError(error, path) === null) throw error;
      return false;
    }
  }

  #isUnnamed(index: string): boolean {
    return this.#aliases((aliases) => aliases.of(index), []).length === 0;
  }

  #aliases<Result>(work: (aliases: Aliases) => Result, without: Result): Result {
    if (!existsSync(this.#folder)) return without;
    return this.#inFolder('@aliases', () => {
      const aliases = openAliases(this.#folder);
      try {
        return work(aliases);
      } finally {
        aliases.close();
      }
    });
  }

  #onStore<Result>(name: string, work: (store: DocumentStore) => Result): Result {
    return this.#inFolder(name, () => {
      const store = new DocumentStore(this.#path(name, 'sqlite'));
      try {
        return store.reading(() => work(store));
      } finally {
        store.close();
      }
    });
  }

  #onIndex<Result>(name: string, work: (index: LiveIndex) => Result): Result {
    return this.#inFolder(name, () => {
      const index = new LiveIndex(this.#path(name, 'sqlite'), this.#path(name, 'snapshot'));
      try {
        return work(index);
      } finally {
        index.close();
      }
    });
  }

  #inFolder<Result>(name: string, work: (name: string) => Result): Result {
    try {
      return work(name);
    } catch (error) {
      throw fileError(error, `index ${name}`) ?? error;
    }
  }

  #bytes(name: string, ending: string): number {
    return statSync(this.#path(name, ending), { throwIfNoEntry: false })?.size ?? 0;
  }

  #path(name: string, ending: string): string {
    return join(this.#folder, `${fileNameOf(name)}.${ending}`);
  }
}
