import { median } from '../engine/median.ts';
import { Connections, type Sent } from './connections.ts';
import { sized } from '../size.ts';

const connections = 8;
const rounds = sized(4, 1);
const roundMs = sized(4_000, 200);

/** Something that several clients query at once. */
export interface Load {
  readonly url: string;
  /** The next request. */
  readonly sent: () => Sent;
}

export interface Rate {
  readonly perSecond: number;
  /** Processor time of a request, in ms: of each process that has a meter. */
  readonly cpuMs: readonly number[];
}

/** The processor time that a process has used, in ms. */
export type CpuMeter = () => Promise<number>;

/**
 * What each load answers for 8 clients, in rounds of some seconds; the first round of each only warms up.
 * @param meters of the processes that work for it
 * @returns a rate for each load, in their order: the median of its rounds
 */
export const measureRates = async (
  loads: readonly Load[],
  meters: readonly CpuMeter[],
): Promise<readonly Rate[]> => {
  const seen = loads.map((): Rate[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, load] of loads.entries()) {
      const rate = await measureRound(load, meters);
      if (round >= 0) seen[at]!.push(rate);
    }
  }
  return seen.map((rates) => ({
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    cpuMs: meters.map((_, meter) => median(rates.map(({ cpuMs }) => cpuMs[meter]!))),
  }));
};

const measureRound = async ({ url, sent }: Load, meters: readonly CpuMeter[]): Promise<Rate> => {
  const pool = new Connections(url, connections);
  const before = await Promise.all(meters.map((meter) => meter()));
  const startedMs = performance.now();
  const client = async (): Promise<number> => {
    let answered = 0;
    for (; performance.now() - startedMs < roundMs; answered++) await pool.send(sent());
    return answered;
  };
  const counts = await Promise.all(Array.from({ length: connections }, client));
  const elapsedMs = performance.now() - startedMs;
  const after = await Promise.all(meters.map((meter) => meter()));
  await pool.close();
  const answered = counts.reduce((sum, count) => sum + count, 0);
  return {
    perSecond: (answered / elapsedMs) * 1000,
    cpuMs: after.map((ms, meter) => (ms - before[meter]!) / answered),
  };
};
