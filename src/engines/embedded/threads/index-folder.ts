import { statSync } from 'node:fs';
import { propertiesOf } from '../../../introspection/mapping/mapping.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import type {
  IndexAction,
  IndexDescription,
  SearchQuery,
  WriteOutcome,
  FieldStatistics,
  IndexStatistics,
} from '../../engine.ts';
import { notHonoured } from '../../../introspection/mapping/not-honoured.ts';
import { analysisOf } from '../../../introspection/terms/term-forms.ts';
import { NotNow, type SearchRun } from '../columns/search-run.ts';
import { extendMapping, type TextOperation } from '../index/write-operation.ts';
import type { LiveIndex } from '../index/live-index.ts';
import { OpenIndexes } from '../index/open-indexes.ts';
import { shareColumns, tokenOf } from '../index/shared-columns.ts';
import { makeDataPath } from '../store/data-path.ts';
import { fileError, isLackOfRoom } from '../store/file-error.ts';
import { storePath } from '../store/folder-files.ts';
import { IndexNames } from '../store/index-names.ts';
import { DocumentGone } from '../store/store.ts';
import { searchReply } from './answer-search.ts';
import type { SearchReply, SharedIndex } from './messages.ts';
import type { Columns } from '../columns/columns.ts';
import type { Column } from '../columns/nested-level.ts';
import type { TermDictionary } from '../columns/term-dictionary.ts';

/** Documents of other processes replayed before requests are served. */
const catchUpSlice = 1_000;
/** Documents a compaction copies in one go. */
const compactionSlice = 250;

/** All indexes and aliases of a data folder. Everything here blocks and therefore runs in the engine's own thread. */
export class IndexFolder {
  readonly #folder: string;
  readonly #names: IndexNames;
  readonly #open: OpenIndexes;

  constructor(folder: string) {
    makeDataPath(folder);
    this.#folder = folder;
    this.#open = new OpenIndexes(folder);
    this.#names = new IndexNames(folder, (index) => this.#open.forget(index));
  }

  /** @throws TributaryError index_not_found */
  describe(name: string): IndexDescription {
    const indices = this.#names.indicesOf(name);
    const open = indices.map((index) => this.#open.get(index));
    for (const index of open) index.catchUp(Infinity);
    const warnings = open.flatMap(({ mapping }) => notHonoured(mapping, analysisOf(mapping['settings'])));
    return {
      indices,
      aliases: [...this.#names.aliasesOf(indices)].filter((alias) => alias !== name),
      properties: open.reduce<JsonObject>(
        (merged, { mapping }) => extendMapping(merged, propertiesOf(mapping)),
        {},
      ),
      documents: open.reduce((sum, { columns }) => sum + columns.liveCount, 0),
      statistics: columnStatistics(open[0]!.columns, sizeOf(storePath(this.#folder, indices[0]!))),
      ...dynamicOf(open[0]!.mapping),
      ...settingsOf(open[0]!.mapping),
      ...(warnings.length > 0 && { warnings }),
      ...sourceRulesOf(open[0]!.mapping),
    };
  }

  /** Whether an index is open and unchanged, so that a search changes nothing. */
  isAtHand(name: string): boolean {
    return this.#open.isAtHand(this.#names.onlyIndexOf(name));
  }

  /** @throws SearchStopped, NotNow, TributaryError index_not_found, BAD_USER_INPUT */
  search(name: string, query: SearchQuery, running?: SearchRun): SearchReply {
    const indexName = this.#names.onlyIndexOf(name);
    const index = this.#open.get(indexName);
    const reply = (): SearchReply => {
      const { columns, generation, lastWriteMs, incarnation } = index;
      const names = { generation, lastWriteMs, index: indexName, incarnation };
      return searchReply(columns, names, index.documents, query, running);
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
    const index = this.#names.onlyIndexOf(name);
    const { columns, mapping, generation, lastWriteMs, incarnation } = this.#open.get(index);
    if (tokenOf(columns) === known) return null;
    const shared = shareColumns(columns, mapping, storePath(this.#folder, index));
    return { ...shared, generation, lastWriteMs, index, incarnation };
  }

  /** @throws TributaryError index_not_found */
  write(name: string, operations: readonly TextOperation[]): readonly WriteOutcome[] {
    return this.#open.writable(this.#names.onlyIndexOf(name)).write(operations);
  }

  /** Applies acknowledged writes to the columns. */
  follow(): void {
    for (const [, index] of this.#open.all()) {
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
        return this.#names.create(action.index, action.mapping, action.settings);
      case 'extend':
        return this.#open.writable(this.#names.onlyIndexOf(action.index)).extend(action.properties);
      case 'delete':
        return this.#names.delete(action.index);
      case 'alias':
        return this.#names.alias(action.alias, action.indices, action.replacesIndex === true);
    }
  }

  /** Replays some of what other processes wrote. Returns whether there is more. */
  catchUp(): boolean {
    let more = false;
    for (const [name, index] of this.#open.all()) {
      try {
        if (index.isReadOnly) this.#open.retry(name);
        more = !this.#open.get(name).catchUp(catchUpSlice) || more;
      } catch (error) {
        // the next request reopens it and reports what is wrong
        if (problemOf(error, name) === null) throw error;
        this.#open.forget(name);
      }
    }
    return more;
  }

  /**
   * Reclaims some of the space of deleted documents. Returns whether there is more to do.
   * @param report called for an index whose documents cannot be read: its columns stay as they are
   */
  compact(report: (problem: TributaryError) => void): boolean {
    // round-robin over the indexes
    const steps = this.#open.all().map(([name, index]) => {
      try {
        return index.compact(compactionSlice);
      } catch (error) {
        const problem = problemOf(error, name);
        if (problem === null) throw error;
        const message = `the space of deleted documents of index ${name} cannot be reclaimed: ${problem.message}`;
        report(new TributaryError(problem.code, message, { cause: error }));
        return false;
      }
    });
    return steps.includes(true);
  }

  /**
   * Writes the snapshots that are worth it. A failed one only makes the next start slower, so it is reported and
   * retried later.
   * @param idle no request is waiting
   */
  writeSnapshots(idle: boolean): readonly TributaryError[] {
    return this.#snapshots((index) => index.wantsSnapshot(idle));
  }

  /** Writes all snapshots and closes all files; returns the errors of failed snapshots. */
  close(): readonly TributaryError[] {
    try {
      return this.#snapshots(() => true);
    } finally {
      for (const [name] of this.#open.all()) this.#open.forget(name);
      this.#names.close();
    }
  }

  #snapshots(isWanted: (index: LiveIndex) => boolean): readonly TributaryError[] {
    return this.#open.all().flatMap(([name, index]) => {
      try {
        if (!index.isBroken && isWanted(index)) index.snapshot();
        return [];
      } catch (error) {
        const reason = fileError(error, `the snapshot of index ${name}`);
        if (reason === null) throw error;
        return [isLackOfRoom(error) ? withoutSnapshot(reason, name) : reason];
      }
    });
  }
}

const withoutSnapshot = (cause: TributaryError, name: string): TributaryError =>
  new TributaryError(
    cause.code,
    `the disk has no room for the snapshot of index ${name}: nothing is lost, but the next start reads all of its documents`,
    { cause },
  );

/** What is wrong with an index or its files; null for any other error. */
const problemOf = (error: unknown, name: string): TributaryError | null =>
  error instanceof TributaryError ? error : fileError(error, `index ${name}`);

/** The size of a file, which another process may just have deleted. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The mapping's `dynamic`, when it is set. */
const dynamicOf = ({ dynamic }: JsonObject): Pick<IndexDescription, 'dynamic'> =>
  typeof dynamic === 'string' || typeof dynamic === 'boolean' ? { dynamic } : {};

const sourceRulesOf = ({ _source }: JsonObject): Pick<IndexDescription, 'dynamicRules'> =>
  _source === undefined ? {} : { dynamicRules: { _source } };

const settingsOf = ({ settings }: JsonObject): Pick<IndexDescription, 'settings'> =>
  isJsonObject(settings) ? { settings } : {};

/** The figures that search costs are estimated from; deleted documents count until their space is reclaimed. */
const columnStatistics = (columns: Columns, documentBytes: number): IndexStatistics => {
  const { root, tree } = columns;
  const all = [columns.ids, ...tree.columns.values()];
  return {
    documents: root.count,
    documentBytes: root.count === 0 ? 0 : documentBytes / root.count,
    objects: new Map([...tree.levels].map(([path, { count }]) => [path, count])),
    fields: new Map(all.map((column) => [column.path, fieldStatistics(column)])),
  };
};

const fieldStatistics = ({ data }: Column): FieldStatistics => {
  if (data.kind === 'number') return { values: valuesOf(data), span: data.span() };
  const { table } = data;
  return {
    values: valuesOf(data),
    strings: table.size,
    stringBytes: table.offsets[table.size]!,
    stringsBeyondAscii: sampledBeyondAscii(table),
  };
};

/** Of larger dictionaries every so many strings are looked at. */
const sampleSize = 1_000;

const sampledBeyondAscii = (table: TermDictionary): number => {
  const step = Math.ceil(table.size / sampleSize);
  let count = 0;
  for (let code = 1; code <= table.size; code += step) if (table.goesBeyondAscii(code)) count++;
  return Math.min(table.size, count * step);
};

const valuesOf = ({ chunks }: Column['data']): number => {
  let count = 0;
  for (const { used } of chunks) count += used;
  return count;
};
