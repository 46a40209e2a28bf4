import { UnreadFile } from './read-files.ts';
import type { SourceRecord } from './records/source-record.ts';

const sampleRecords = 10_000;
const sampleBytes = 16 * 1024 * 1024;

/** The first records of a file. */
export interface Sample {
  readonly records: readonly SourceRecord[];
  /** The error that ended reading the sample; rethrown after the records before it. */
  readonly broken: unknown;
  readonly complete: boolean;
}

/** @throws errors of the reader before the first document of a file */
export const takeSample = async (records: AsyncGenerator<SourceRecord>): Promise<Sample> => {
  const taken: SourceRecord[] = [];
  let bytes = 0;
  try {
    while (taken.length < sampleRecords && bytes < sampleBytes) {
      const next = await records.next();
      if (next.done === true) return { records: taken, broken: null, complete: true };
      taken.push(next.value);
      bytes += next.value.kind === 'document' ? next.value.bytes : 0;
    }
  } catch (broken) {
    if (broken instanceof UnreadFile || !taken.some((record) => record.kind === 'document')) throw broken;
    return { records: taken, broken, complete: true };
  }
  return { records: taken, broken: null, complete: false };
};

/** The records of a sample and those after it. @throws the error that ended the sample */
export const replay = async function* (
  sample: Sample,
  rest: AsyncIterable<SourceRecord>,
): AsyncGenerator<SourceRecord> {
  yield* sample.records;
  if (sample.broken !== null) throw sample.broken;
  yield* rest;
};
