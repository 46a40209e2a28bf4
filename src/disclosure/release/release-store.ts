import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';
import { idOf, readRelease, releaseText, type Release } from './release.ts';

/**
 * The releases of one catalogue, in a folder of their own: each in a file named by its hash, beside it the fingerprints
 * of its units, which stay here, and `current`, which names the release that answers. Each file is complete on disk
 * before the next one refers to it, so whatever is interrupted, the release before stays.
 */
export interface ReleaseStore {
  /** The id of the release that answers; null before the first one. */
  readonly currentId: () => string | null;
  /** @throws TributaryError CONFIG_INVALID when it is damaged or missing: it is never guessed */
  readonly read: (id: string) => Release;
  /** The fingerprints of the units of each of a release's strata; null when they are not there. */
  readonly fingerprints: (release: Release) => readonly BigUint64Array[] | null;
  /** Publishes a release. @param fingerprints of each stratum's units @returns its id */
  readonly publish: (release: Omit<Release, 'id'>, fingerprints: readonly BigUint64Array[]) => string;
}

const pointer = 'current';
const idPattern = /^[0-9a-f]{64}$/;

/** @param dataPath the folder of everything that this server keeps */
export const openReleaseStore = (dataPath: string, catalogueId: string): ReleaseStore => {
  const folder = join(dataPath, 'releases', folderName(catalogueId));
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const unitsOf = (id: string, stratum: number): string =>
    join(folder, `${id}.units${stratum === 0 ? '' : `-${stratum}`}`);
  return {
    currentId: () => {
      const file = join(folder, pointer);
      if (!existsSync(file)) return null;
      const id = readFileSync(file, 'utf8').trim();
      if (!idPattern.test(id)) throw damaged(catalogueId);
      return id;
    },
    read: (id) => {
      let text: string;
      try {
        text = readFileSync(fileOf(id), 'utf8');
      } catch (cause) {
        throw damaged(catalogueId, cause);
      }
      return readRelease(text, id);
    },
    fingerprints: ({ id, strata }) => {
      const read = strata.map((_, stratum) => fingerprintsIn(unitsOf(id, stratum)));
      return read.every((one) => one !== null) ? read : null;
    },
    publish: (release, fingerprints) => {
      const text = releaseText(release);
      const id = idOf(text);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      fingerprints.forEach((own, stratum) => writeDurably(unitsOf(id, stratum), bytesOf(own), folder));
      writeDurably(fileOf(id), Buffer.from(text), folder);
      writeDurably(join(folder, pointer), Buffer.from(`${id}\n`), folder);
      return id;
    },
  };
};

const bytesOf = ({ buffer, byteOffset, byteLength }: BigUint64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const fingerprintsIn = (file: string): BigUint64Array | null => {
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  return bytes.length % 8 === 0 ? new BigUint64Array(new Uint8Array(bytes).buffer) : null;
};

/** Ids may hold characters that file names cannot. */
const folderName = (catalogueId: string): string =>
  /^[a-z0-9_-]{1,100}$/.test(catalogueId)
    ? catalogueId
    : createHash('sha256').update(catalogueId).digest('hex');

const damaged = (catalogueId: string, cause?: unknown): TributaryError =>
  new TributaryError(
    'CONFIG_INVALID',
    `the release of catalogue ${catalogueId} is damaged or missing: restore it from a backup, or make a new one with tributary release`,
    { cause },
  );

/** Under its name it is complete, whatever happens meanwhile. */
const writeDurably = (path: string, bytes: Uint8Array, folder: string): void => {
  const draft = `${path}.${process.pid}.draft`;
  const file = openSync(draft, 'w', 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
