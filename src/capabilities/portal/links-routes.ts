import { isLackOfRoom } from '../../engines/embedded/store/file-error.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { callerOf } from '../../server/http/callers/caller-name.ts';
import { refusalOf, requireTarget, type TargetParts } from '../../server/http/callers/require-access.ts';
import type { HttpContext } from '../../server/http/koa/http-context.ts';
import { readJsonBody, type BodyLimits } from '../../server/http/koa/request-body.ts';
import { randomBytes } from 'node:crypto';
import { keyedMac } from '../../lib/runtime/keyed-mac.ts';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivate, privateFolder } from '../../lib/runtime/private-file.ts';

const maxViewBytes = 1024 * 1024;

/**
 * POST /portal/links: stores a view of the portal; callers who may search may store views.
 * @throws TributaryError BAD_USER_INPUT, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const keepLink = async (
  context: HttpContext,
  links: LinksStore,
  parts: TargetParts & { readonly body: BodyLimits },
): Promise<void> => {
  await requireSearcher(context, parts);
  if (!context.is('application/json'))
    throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'the view of a link is application/json');
  const limits = { ...parts.body, limitBytes: maxViewBytes };
  const view = viewIn(await readJsonBody(context, limits, 'the view of a link is not JSON'));
  context.status = 201;
  context.set('cache-control', 'no-store');
  const { peer } = callerOf(context, parts.settings.cost.trustedProxies);
  context.body = { id: kept(() => links.keep(JSON.stringify(view), peer)) };
};

/** @throws TributaryError NOT_READY for a store that fails, as on a full disk */
const kept = <Found>(use: () => Found): Found => {
  try {
    return use();
  } catch (cause) {
    const why = isLackOfRoom(cause)
      ? 'the disk of this server has no room'
      : 'this server cannot use the file of its links';
    throw new TributaryError('NOT_READY', `short links are not available: ${why}`, { cause });
  }
};

/** GET /portal/links/{id}. @throws TributaryError NOT_FOUND, UNAUTHENTICATED, FORBIDDEN, NOT_READY */
export const showLink = async (
  context: HttpContext,
  id: string,
  links: LinksStore,
  parts: TargetParts,
): Promise<void> => {
  await requireSearcher(context, parts);
  const view = kept(() => links.find(id));
  if (view === null)
    throw new TributaryError('NOT_FOUND', 'this short link is no longer stored here: make a new one');
  context.set('cache-control', 'no-store');
  context.body = JSON.parse(view) as unknown;
};

/** Requires access to something that is served. */
const requireSearcher = async (context: HttpContext, parts: TargetParts): Promise<void> => {
  const refusals = await Promise.all(
    parts.served().map((target) => refusalOf(requireTarget(context, target))),
  );
  const [refusal] = refusals;
  if (refusal != null && refusals.every((one) => one !== null)) throw refusal;
};

const viewIn = (view: unknown): unknown => {
  if (isJsonObject(view)) return view;
  throw badUserInput('the view of a link is a JSON object');
};

/** Stores views of the portal that are too long for a URL, under short random ids. */
export interface LinksStore {
  /**
   * @param caller the caller whose share of the storage it takes
   * @returns the id: 128 random bits, so that knowing it suffices to read the view
   */
  readonly keep: (view: string, caller: string) => string;
  /** null: never stored, or removed to make room. */
  readonly find: (id: string) => string | null;
  readonly close: () => void;
}

/** The minimum size of a view: a row has overhead, and all rows are scanned for each new row. */
const leastBytes = 1_024;

const isId = /^[\w-]{22}$/;

/**
 * @param file created when the first link is kept
 * @param maxBytes the limit for all views together, each counted as at least a kilobyte; the caller with the most storage
 *   loses their oldest views first
 */
export const openLinksStore = (file: string, maxBytes: number): LinksStore => {
  let opened: DatabaseSync | null = null;
  // no address is stored: after a restart, callers have different names
  const ownerOf = keyedMac(randomBytes(32));
  const database = (): DatabaseSync => (opened ??= open(file));
  return {
    keep: (view, caller) => {
      const id = randomBytes(16).toString('base64url');
      const db = database();
      const owner = ownerOf(caller);
      db.prepare('INSERT INTO link (id, owner, bytes, view) VALUES (?, ?, ?, ?)').run(
        id,
        owner,
        Math.max(leastBytes, Buffer.byteLength(view)),
        view,
      );
      makeRoom(db, maxBytes);
      return id;
    },
    find: (id) => {
      if (!isId.test(id)) return null;
      const row = database().prepare('SELECT view FROM link WHERE id = ?').get(id);
      return row === undefined ? null : String(row['view']);
    },
    close: () => {
      opened?.close();
      opened = null;
    },
  };
};

const makeRoom = (db: DatabaseSync, maxBytes: number): void => {
  const used = db.prepare('SELECT sum(bytes) AS bytes FROM link');
  const removeOldest = db.prepare(
    `DELETE FROM link WHERE place = (SELECT min(place) FROM link WHERE owner = (
       SELECT owner FROM link GROUP BY owner ORDER BY sum(bytes) DESC, min(place) LIMIT 1))`,
  );
  while (Number(used.get()?.['bytes'] ?? 0) > maxBytes) removeOldest.run();
};

const open = (file: string): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true, mode: privateFolder });
  createPrivate(file);
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS link (
      place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, view TEXT NOT NULL)`);
  const columns = database.prepare('PRAGMA table_info(link)').all();
  if (!columns.some(({ name }) => name === 'owner'))
    database.exec("ALTER TABLE link ADD COLUMN owner TEXT NOT NULL DEFAULT ''");
  return database;
};
