import { workerData, parentPort } from 'node:worker_threads';
import { createDatabase } from '../../../src/engines/embedded/store/database.ts';

// Opens one file after the other, each at the same moment as the other threads do; posts the errors.

const { folder, files, threads, arrived } = workerData as {
  readonly folder: string;
  readonly files: number;
  readonly threads: number;
  readonly arrived: Int32Array;
};
const errors: string[] = [];
for (let file = 0; file < files; file++) {
  Atomics.add(arrived, file, 1);
  while (Atomics.load(arrived, file) < threads);
  try {
    const db = createDatabase(`${folder}/${file}.sqlite`);
    db.exec('CREATE TABLE IF NOT EXISTS t (k TEXT PRIMARY KEY)');
    db.close();
  } catch (error) {
    errors.push((error as Error).message);
  }
}
parentPort!.postMessage(errors);
