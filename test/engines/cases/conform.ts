import test from 'ava';
import type { Engine } from '../../../src/engines/engine.ts';
import { collections } from './collections.ts';
import type { Collection } from './case.ts';
import { runCheck, type Filled } from './run-check.ts';

export interface Conforming {
  /** Whose tests these are. */
  readonly name: string;
  readonly engine: Engine;
  /** The index that holds a collection. */
  readonly indexOf: (collection: string) => string;
  /** Makes an empty index; the engine's own way without. */
  readonly create?: (index: string, { mapping, settings }: Collection) => Promise<void>;
  /** Why collections with fields of a type are left out, undefined when they are not. */
  readonly lacks?: (type: string) => string | undefined;
  /** Why a check is left out, undefined when it is not. */
  readonly leftOut?: (collection: string, check: string) => string | undefined;
  readonly tiesOpen?: boolean;
}

/** A test for each check of each collection, one after the other; the collections are written first. */
export const conform = (conforming: Conforming): void => {
  const { name, engine, leftOut = () => undefined, lacks = () => undefined, tiesOpen = false } = conforming;
  for (const collection of collections) {
    const filled = { engine, index: conforming.indexOf(collection.name), collection, tiesOpen };
    const lack = collection.rareTypes?.map(lacks).find((reason) => reason !== undefined);
    if (lack !== undefined) {
      test.skip(`${name}: ${collection.name}: ${lack}`, () => undefined);
      continue;
    }
    test.before(`${name}: ${collection.name}`, () => fill(conforming, filled));
    for (const check of collection.checks) {
      const title = `${name}: ${collection.name}: ${check.name}`;
      const reason = leftOut(collection.name, check.name);
      if (reason === undefined) test.serial(title, (t) => runCheck(t, filled, check));
      else test.skip(`${title}: ${reason}`, () => undefined);
    }
  }
};

const fill = async ({ create }: Conforming, { engine, index, collection }: Filled): Promise<void> => {
  await engine.manage({ kind: 'delete', index });
  const { mapping, settings } = collection;
  if (create !== undefined) await create(index, collection);
  else await engine.manage({ kind: 'create', index, mapping, ...(settings && { settings }) });
  const outcomes = await engine.write(
    index,
    Object.entries(collection.documents).map(([id, document]) => ({ kind: 'upsert', id, document })),
  );
  if (outcomes.some(({ status }) => status !== 'created'))
    throw new Error(`${index} is not filled: ${JSON.stringify(outcomes)}`);
};
