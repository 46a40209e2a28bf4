import { basename } from 'node:path';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { inodeOf } from './claim.ts';
import { openDatabaseOrRead, type OpenedDatabase } from './database.ts';
import { damagedStore, layoutVersion, parseStored, rejectTruncated, tableExists } from './store-file.ts';

/** The size limit for parsed documents, in characters of their text. */
const parsedLimit = 32_000_000;

export interface StoredDocument {
  readonly docId: number;
  readonly id: string;
  readonly src: string;
}

/** What another process may have changed besides documents. */
export interface StoreState {
  readonly mappingText: string;
  /** The highest document number ever assigned. */
  readonly lastDocId: number;
  /** Deletions up to this sequence number have been trimmed. */
  readonly trimmed: number;
  /** When documents were last written or deleted, in milliseconds since 1970; undefined: not known. */
  readonly lastWriteMs: number | undefined;
  readonly deleted: boolean;
}

/** A document in the columns is no longer stored: the columns have to catch up. */
export class DocumentGone extends TributaryError {
  constructor() {
    super('ENGINE_ERROR', 'a document changed while it was read');
  }
}

/**
 * The durable part of an index: an SQLite file with every document under an ever-increasing number, the deletions, and
 * the mapping. A deletion records the highest number at the time (`at`), so a reader can replay both in order.
 */
export class DocumentStore {
  readonly path: string;
  readonly uid: string;
  /** What prevents writing to the file, such as a full disk, or null. */
  readonly refusal: Error | null;
  readonly #db: DatabaseSync;
  /** Numbers are never reused. */
  readonly #parsed = new LRUCache<number, JsonObject>({ maxSize: parsedLimit });
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @throws TributaryError index_not_found when the file holds no index, mapping_fetch_error when it is not an index
   *   file
   */
  constructor(path: string) {
    this.path = path;
    const inode = inodeOf(path);
    let opened: OpenedDatabase | null = null;
    try {
      opened = openDatabaseOrRead(path);
      const { db, refusal } = opened;
      this.#db = db;
      this.refusal = refusal;
      this.reading(() => rejectTruncated(this.#db, path));
      const uid = tableExists(this.#db) ? this.#meta('uid') : undefined;
      if (uid === undefined) throw new TributaryError('index_not_found', 'the index is not complete');
      const layout = this.#meta('layout');
      if (layout !== layoutVersion)
        throw new TributaryError(
          'mapping_fetch_error',
          `the index file has layout ${String(layout)}, this program reads ${layoutVersion}: use the version that wrote it, or remove it with tributary index delete, and load the documents again`,
        );
      this.uid = String(uid);
    } catch (error) {
      const isSame = inode !== undefined && inodeOf(path) === inode;
      opened?.db.close();
      if (isSame) throw error;
      throw new TributaryError('index_not_found', 'the index was deleted while it was opened', {
        cause: error,
      });
    }
  }

  /** Changes whenever another connection has committed. */
  dataVersion(): number {
    return Number(this.#prepared('PRAGMA data_version').get()!['data_version']);
  }

  state(): StoreState {
    return {
      mappingText: String(this.#meta('mapping')),
      lastDocId: Number(this.#meta('last')),
      trimmed: Number(this.#meta('trimmed')),
      lastWriteMs: this.#meta('written') as number | undefined,
      deleted: this.#meta('deleted') !== undefined,
    };
  }

  /** Runs `work` in one durable transaction, rolled back on error. */
  transaction<Result>(work: () => Result): Result {
    if (this.refusal !== null) throw this.refusal;
    this.#prepared('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.#prepared('COMMIT').run();
      return result;
    } catch (error) {
      // some errors end the transaction themselves
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Runs `work` on a consistent state of the file, even while others write. */
  reading<Result>(work: () => Result): Result {
    if (this.#db.isTransaction) return work();
    this.#db.exec('BEGIN');
    try {
      return work();
    } finally {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    }
  }

  setMeta(key: 'mapping' | 'last' | 'trimmed' | 'written', value: string | number): void {
    this.#prepared('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, value);
  }

  /** The number of the document with this key. */
  docIdOf(id: string): number | undefined {
    const row = this.#prepared('SELECT dn FROM docs WHERE id = ?').get(id);
    return row === undefined ? undefined : Number(row['dn']);
  }

  insert({ docId, id, src }: StoredDocument): void {
    this.#prepared('INSERT INTO docs (dn, id, src, sum) VALUES (?, ?, ?, ?)').run(
      docId,
      id,
      src,
      checksum(docId, id, src),
    );
  }

  /** @param at the highest number assigned so far */
  remove(docId: number, at: number): void {
    this.#prepared('DELETE FROM docs WHERE dn = ?').run(docId);
    this.#prepared('INSERT INTO dels (dn, at) VALUES (?, ?)').run(docId, at);
  }

  /** @throws DocumentGone when another process has replaced or deleted it */
  text(docId: number): string {
    const row = this.#prepared(`${select} WHERE dn = ?`).get(docId);
    if (row === undefined) throw new DocumentGone();
    return this.#whole(row).src;
  }

  /**
   * The document, parsed; shared, read-only.
   * @param isKept whether it is cached for the next call
   * @throws DocumentGone, TributaryError ENGINE_ERROR when its text is corrupt
   */
  document(docId: number, isKept: boolean): JsonObject {
    const known = this.#parsed.get(docId);
    if (known !== undefined) return known;
    const text = this.text(docId);
    const document = parseStored(text);
    if (isKept) this.#parsed.set(docId, document, { size: text.length });
    return document;
  }

  /** The next documents after a number, in order. */
  documentsAfter(docId: number, limit: number): readonly StoredDocument[] {
    const rows = this.#prepared(`${select} WHERE dn > ? ORDER BY dn LIMIT ?`).all(docId, limit);
    return rows.map((row) => this.#whole(row));
  }

  /** All documents in order, in the state at the first read. */
  *documents(): Generator<StoredDocument> {
    // a separate statement: several iterations may be running
    for (const row of this.#db.prepare(`${select} ORDER BY dn`).iterate()) yield this.#whole(row);
  }

  /** The first documents that are not as they were stored, with their place in the file; empty when all are. */
  damagedDocuments(): readonly string[] {
    const differences: string[] = [];
    for (const row of this.#db.prepare(`${select} ORDER BY dn`).iterate()) {
      const damage = this.#damageOf(row);
      if (damage !== null) differences.push(damage);
      if (differences.length >= maxReported) return [...differences, 'and perhaps more'];
    }
    return differences;
  }

  /** How many documents there are. */
  count(): number {
    return Number(this.#prepared('SELECT count(*) AS count FROM docs').get()!['count']);
  }

  /** The deletions after a sequence number whose `at` is no higher than `at`. */
  deletionsAfter(seq: number, at: number): readonly { readonly seq: number; readonly docId: number }[] {
    const rows = this.#prepared(
      'SELECT seq, dn AS docId FROM dels WHERE seq > ? AND at <= ? ORDER BY seq',
    ).all(seq, at);
    return rows as unknown as readonly { seq: number; docId: number }[];
  }

  /** The sequence number of the last deletion, trimmed ones included. */
  lastDeletion(): number {
    const row = this.#prepared("SELECT seq FROM sqlite_sequence WHERE name = 'dels'").get();
    return row === undefined ? 0 : Number(row['seq']);
  }

  /** Removes deletions already contained in a durable snapshot. */
  trimDeletions(seq: number): void {
    this.transaction(() => {
      if (seq <= this.state().trimmed) return;
      this.#prepared('DELETE FROM dels WHERE seq <= ?').run(seq);
      this.setMeta('trimmed', seq);
    });
  }

  /** The problems SQLite finds in the file; empty when there are none. */
  problems(): readonly string[] {
    const rows = this.#db.prepare('PRAGMA integrity_check(20)').all();
    return rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok');
  }

  /** Rewrites the file without the space of deleted documents. */
  shrink(): void {
    if (this.refusal !== null) throw this.refusal;
    this.#db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#db.close();
  }

  /** @throws TributaryError ENGINE_ERROR for a document that is not as it was stored */
  #whole(row: StoredRow): StoredDocument {
    const damage = this.#damageOf(row);
    if (damage !== null) throw damagedStore(new Error(damage));
    const { docId, id, src } = row as unknown as StoredDocument;
    return { docId, id, src };
  }

  /** Zeros where a page should be are read as NULL. */
  #damageOf({ docId, id, src, sum }: StoredRow): string | null {
    const isWhole =
      typeof id === 'string' && typeof src === 'string' && sum === checksum(Number(docId), id, src);
    return isWhole
      ? null
      : `document ${String(docId)} (${JSON.stringify(id)}) of ${basename(this.path)} is not as it was stored`;
  }

  #meta(key: string): string | number | undefined {
    const row = this.#prepared('SELECT v FROM meta WHERE k = ?').get(key);
    return row?.['v'] as string | number | undefined;
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

const select = 'SELECT dn AS docId, id, src, sum FROM docs';

type StoredRow = Readonly<Record<string, SQLOutputValue>>;

/** More damaged documents than this would add nothing. */
const maxReported = 20;

/** CRC-32 over the number, the key and the text of a document, in UTF-8. */
const checksum = (docId: number, id: string, src: string): number => crc32(src, crc32(`${docId} ${id} `));
