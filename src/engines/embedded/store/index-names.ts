import { existsSync, rmSync } from 'node:fs';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { mappingTree } from '../columns/mapping-tree.ts';
import type { Aliases } from './aliases.ts';
import { fileError, isLackOfRoom } from './file-error.ts';
import { openAliases, snapshotPath, storePath } from './folder-files.ts';
import { createStore, isStoreDeleted, markStoreDeleted, rememberAliases } from './store-file.ts';

/** The names of a data folder, indexes and aliases, and the files behind them. */
export class IndexNames {
  readonly #folder: string;
  readonly #aliases: Aliases;
  readonly #forget: (index: string) => void;

  /** @param forget closes an index whose files are about to be removed */
  constructor(folder: string, forget: (index: string) => void) {
    this.#folder = folder;
    this.#aliases = openAliases(folder);
    this.#forget = forget;
  }

  /** The other names of some indexes. */
  aliasesOf(indices: readonly string[]): ReadonlySet<string> {
    return new Set(indices.flatMap((index) => this.#aliases.of(index)));
  }

  /** @throws TributaryError CONFLICT; BAD_USER_INPUT as `mappingTree` */
  create(name: string, mapping: JsonObject, settings: JsonObject = {}): void {
    mappingTree(mapping);
    const taken = this.#isAlias(name);
    if (isStoreDeleted(storePath(this.#folder, name))) this.#removeFiles(name);
    if (taken || !createStore(storePath(this.#folder, name), withAnalysis(mapping, settings))) {
      throw new TributaryError('CONFLICT', `${taken ? 'alias' : 'index'} ${name} exists already`);
    }
  }

  /** @throws TributaryError BAD_USER_INPUT for an alias */
  delete(name: string): void {
    if (this.#isAlias(name)) {
      throw badUserInput(`${name} is an alias: delete the indexes behind it`);
    }
    this.#deleteIndex(name);
  }

  /** @throws TributaryError CONFLICT, index_not_found */
  alias(alias: string, indices: readonly string[], replacesIndex: boolean): void {
    const isTaken = existsSync(storePath(this.#folder, alias));
    // an index beside an alias of its name is left over from an interrupted replacement
    if (isTaken && !replacesIndex && !this.#isAlias(alias))
      throw new TributaryError('CONFLICT', `index ${alias} exists already`);
    const missing = indices.find((index) => !existsSync(storePath(this.#folder, index)));
    if (missing !== undefined) throw notFound(missing);
    this.#remember(alias, indices);
    this.#aliases.set(alias, indices);
    // aliases take precedence over indexes, so the name resolves throughout
    if (isTaken) this.#deleteIndex(alias);
  }

  /** The indexes behind a name: itself, or the indexes of the alias. */
  indicesOf(name: string): readonly string[] {
    const behind = this.#aliases.indices(name);
    return behind.length > 0 ? behind : [name];
  }

  /** The one index behind a name. @throws TributaryError BAD_USER_INPUT */
  onlyIndexOf(name: string): string {
    const [index, ...others] = this.indicesOf(name);
    if (index !== undefined && others.length === 0) return index;
    throw badUserInput(
      `alias ${name} names ${others.length + 1} indexes, this engine works on one at a time`,
    );
  }

  close(): void {
    this.#aliases.close();
  }

  /** An alias whose indexes were all deleted no longer counts. */
  #isAlias(name: string): boolean {
    const behind = this.#aliases.indices(name);
    if (behind.some((index) => existsSync(storePath(this.#folder, index)))) return true;
    if (behind.length > 0) this.#aliases.set(name, []);
    return false;
  }

  #deleteIndex(name: string): void {
    this.#forget(name);
    markDeleted(storePath(this.#folder, name));
    this.#removeFiles(name);
    try {
      this.#aliases.forget(name);
    } catch (error) {
      // an alias of a deleted index does not count
      if (!isLackOfRoom(error)) throw error;
    }
  }

  #removeFiles(name: string): void {
    for (const ending of ['', '-wal', '-shm'])
      rmSync(storePath(this.#folder, name) + ending, { force: true });
    rmSync(snapshotPath(this.#folder, name), { force: true });
  }

  /** Aliases are recorded in the indexes before the table, so that it can be rebuilt from them. */
  #remember(alias: string, indices: readonly string[]): void {
    for (const index of new Set([...this.#aliases.indices(alias), ...indices])) {
      if (!existsSync(storePath(this.#folder, index))) continue;
      const others = this.#aliases.of(index).filter((name) => name !== alias);
      rememberAliases(storePath(this.#folder, index), indices.includes(index) ? [...others, alias] : others);
    }
  }
}

/** A damaged file, or one on a full disk, cannot be marked as deleted and need not be. */
const markDeleted = (path: string): void => {
  try {
    markStoreDeleted(path);
  } catch (error) {
    if (!isLackOfRoom(error) && fileError(error, path)?.code !== 'ENGINE_ERROR') throw error;
  }
};

/** The error for a name that neither an index nor an alias has. */
export const notFound = (name: string): TributaryError =>
  new TributaryError('index_not_found', `index ${name} does not exist; load documents into it first`);

/** A mapping with the analysis settings that its normalizers are made of: the other settings are for search servers. */
const withAnalysis = (mapping: JsonObject, { analysis }: JsonObject): JsonObject =>
  isJsonObject(analysis) ? { ...mapping, settings: { analysis } } : mapping;
