import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, WriteOperation } from '../../engines/engine.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { describeIfThere } from '../../indexing/index-target.ts';
import { readMappingBody } from '../../indexing/mapping-body.ts';
import { writeBatch } from '../../indexing/write-batch.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { countOf } from '../../lib/text/plural.ts';
import { lyonParticipant } from './lyon.ts';
import { singaporeDonor } from './singapore.ts';
import { torontoDonor } from './toronto.ts';
import { seededRandom, type Random } from './patient.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimState, claimantText, takeClaim } from '../../engines/embedded/store/claim.ts';

/** The parts of a catalogue's configuration that identify its sample. */
export interface SampleCatalogue {
  readonly catalogueId: string;
  readonly esIndex: string | null;
  /** The folder with the mapping.json. */
  readonly folder: string;
}

interface MissingSample extends SampleCatalogue {
  readonly esIndex: string;
  readonly documents: number;
}

interface Institution {
  readonly documents: number;
  readonly keyField: string;
  readonly document: (random: Random, number: number) => JsonObject;
}

/** By catalogue id. */
const institutions: Readonly<Record<string, Institution>> = {
  lyon: { documents: 2_500, keyField: 'participant_id', document: lyonParticipant },
  singapore: { documents: 1_500, keyField: 'donor_id', document: singaporeDonor },
  toronto: { documents: 4_000, keyField: 'donor_id', document: torontoDonor },
};

const batchSize = 1_000;

/**
 * Loads the sample documents of catalogues that have a sample. Existing indexes and aliases are left alone, so a second start
 * changes nothing. The documents are the same on every machine.
 * @param print called with each catalogue that was loaded
 * @param acquireLock waits until no other process loads them, and resolves to a function that releases the lock
 * @throws TributaryError from the engine
 */
export const ensureSample = async (
  { catalogues }: { readonly catalogues: readonly SampleCatalogue[] },
  engine: Engine,
  print: (line: string) => void = () => undefined,
  acquireLock: () => Promise<() => void> = async () => () => undefined,
): Promise<void> => {
  if ((await missing(catalogues, engine)).length === 0) return;
  const release = await acquireLock();
  try {
    for (const { catalogueId, esIndex, folder, documents } of await missing(catalogues, engine)) {
      await loadSample(engine, esIndex, folder, catalogueId);
      print(`loaded the sample catalogue ${catalogueId}: ${countOf(documents, 'document')}`);
    }
  } finally {
    release();
  }
};

const missing = async (
  catalogues: readonly SampleCatalogue[],
  engine: Engine,
): Promise<readonly MissingSample[]> => {
  const found: MissingSample[] = [];
  for (const { catalogueId, esIndex, folder } of catalogues) {
    const institution = institutions[catalogueId];
    if (institution === undefined || esIndex === null) continue;
    if ((await describeIfThere(engine, esIndex)) === null)
      found.push({ catalogueId, esIndex, folder, documents: institution.documents });
  }
  return found;
};

/** The documents of a sample catalogue, with their keys. Pure. */
export const sampleDocuments = function* (
  catalogueId: string,
): Generator<{ id: string; document: JsonObject }> {
  const institution = institutions[catalogueId];
  if (institution === undefined) return;
  for (let number = 1; number <= institution.documents; number += 1) {
    // A separate seed keeps a document the same when earlier ones change.
    const document = institution.document(seededRandom(`${catalogueId} ${String(number)}`), number);
    yield { id: String(document[institution.keyField]), document };
  }
};

/** Gives the index its name after all documents are in: the next start repeats an interrupted load. */
const loadSample = async (
  engine: Engine,
  esIndex: string,
  folder: string,
  catalogueId: string,
): Promise<void> => {
  const index = `${esIndex}_sample`;
  const content: unknown = JSON.parse(await readFile(join(folder, 'mapping.json'), 'utf8'));
  const { mapping } = readMappingBody(content, join(folder, 'mapping.json'));
  await engine.manage({ kind: 'delete', index });
  await engine.manage({ kind: 'create', index, mapping });
  let batch: WriteOperation[] = [];
  for (const { id, document } of sampleDocuments(catalogueId)) {
    batch.push({ kind: 'upsert', id, document });
    if (batch.length < batchSize) continue;
    await writeAll(engine, index, batch);
    batch = [];
  }
  await writeAll(engine, index, batch);
  await engine.manage({ kind: 'alias', alias: esIndex, indices: [index] });
};

const writeAll = async (
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
): Promise<void> => {
  for (const outcome of await writeBatch(engine, index, operations))
    if (outcome.status === 'refused')
      throw new TributaryError(
        'ENGINE_ERROR',
        `a sample document was refused by ${index}: ${outcome.reason}`,
      );
};

const retryMs = 200;

/**
 * Waits until no other process loads the sample into a data folder, and acquires the lock.
 * @param print called with the process that holds the lock
 * @returns releases the lock
 */
export const acquireSampleLock = async (
  dataPath: string,
  print: (line: string) => void,
): Promise<() => void> => {
  const path = join(dataPath, '@sample');
  let announced = false;
  for (;;) {
    const claim = takeClaim(path, 0);
    if (claim !== null) return claim.release;
    const holder = claimState(path);
    if (!announced && holder !== null)
      print(`waiting for ${claimantText(holder.claimant)}, which loads the sample catalogues`);
    announced ||= holder !== null;
    await sleep(retryMs);
  }
};
