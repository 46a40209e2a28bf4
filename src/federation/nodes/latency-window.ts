/** Latencies of the most recent calls, in milliseconds. */
export interface Latencies {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The number of calls measured. */
  readonly calls: number;
}

export interface LatencyWindow {
  readonly add: (tookMs: number) => void;
  /** null before the first call. */
  readonly latencies: () => Latencies | null;
  /** A moving average that follows changes within a dozen calls, in milliseconds; null before the first call. */
  readonly usualMs: () => number | null;
  /** Three times the 99th percentile, at least 250; null before the 20th call. Kept for some calls, as it sorts. */
  readonly adaptiveTimeoutMs: () => number | null;
}

const minCalls = 20;
/** What a call weighs in the moving average: 1/8, as a measured round trip does in TCP (RFC 6298, section 2.3). */
const weight = 1 / 8;

/**
 * Nearest-rank percentiles of the most recent calls.
 * @param size how many calls are kept: older ones are dropped
 */
export const latencyWindow = (size = 512): LatencyWindow => {
  const kept = new Float64Array(size);
  let added = 0;
  let usual = 0;
  let current: { readonly at: number; readonly ms: number } | null = null;
  const adaptiveTimeoutMs = (): number | null => {
    if (added < minCalls) return null;
    if (current === null || added - current.at >= 16) {
      const sorted = kept.slice(0, Math.min(added, size)).sort();
      const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1]!;
      current = { at: added, ms: Math.max(250, Math.ceil(3 * p99)) };
    }
    return current.ms;
  };
  return {
    adaptiveTimeoutMs,
    usualMs: () => (added === 0 ? null : usual),
    add: (tookMs) => {
      usual += (tookMs - usual) * (added === 0 ? 1 : weight);
      kept[added % size] = tookMs;
      added += 1;
    },
    latencies: () => {
      const calls = Math.min(added, size);
      if (calls === 0) return null;
      const sorted = kept.slice(0, calls).sort();
      const percentile = (share: number): number =>
        Math.round(sorted[Math.max(0, Math.ceil(share * calls) - 1)]! * 10) / 10;
      return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99), calls };
    },
  };
};
