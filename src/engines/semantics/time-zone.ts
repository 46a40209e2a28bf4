import { LRUCache } from 'lru-cache';
import { badUserInput } from '../../lib/errors/errors.ts';

/** The offsets of a time zone, from the platform's data. */
export interface TimeZone {
  /** The name known to every engine and node: `Europe/Paris`, `+05:30`. */
  readonly name: string;
  /**
   * Milliseconds east of UTC at a moment. Takes about two microseconds for the first call per day, little for the next.
   */
  readonly offsetAt: (ms: number) => number;
}

/** null for an unknown name. */
const timeZone = (name: string): TimeZone | null => {
  const format = offsetFormat(name);
  if (format === null) return null;
  const { timeZone: known } = format.resolvedOptions();
  return known === 'UTC'
    ? { name: known, offsetAt: () => 0 }
    : { name: known, offsetAt: rememberedByDay((ms) => offsetIn(format.format(ms))) };
};

const dayMs = 86_400_000;
/** More than a histogram of hours spans; about 20 MB for all cached zones. */
const maxDays = 40_000;

/** Only looks up the offsets at both ends of a day, unless they differ: no zone changes twice within a UTC day. */
const rememberedByDay = (offsetAt: TimeZone['offsetAt']): TimeZone['offsetAt'] => {
  /** null for a day on which the offset changes. */
  const days = new Map<number, number | null>();
  return (ms) => {
    const day = Math.floor(ms / dayMs);
    let known = days.get(day);
    if (known === undefined) {
      const offset = offsetAt(day * dayMs);
      known = offset === offsetAt((day + 1) * dayMs) ? offset : null;
      if (days.size >= maxDays) days.clear();
      days.set(day, known);
    }
    return known ?? offsetAt(ms);
  };
};

/** Keyed by the names that callers use. */
const zones = new LRUCache<string, TimeZone>({ max: 16 });

/**
 * An IANA time zone, in any letter case, or an offset such as `+05:30`.
 * @throws TributaryError BAD_USER_INPUT for anything else
 */
export const requiredZone = (name: string): TimeZone => {
  const zone = zones.get(name) ?? timeZone(name);
  if (zone !== null) {
    zones.set(name, zone);
    return zone;
  }
  throw badUserInput(
    `timeZone must be a time zone such as Europe/Paris or +05:30, not ${JSON.stringify(name.slice(0, 100))}`,
  );
};

const offsetFormat = (name: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** `2024, GMT+01:00`; with seconds for local mean time, before there were zones. */
const offsetIn = (printed: string): number => {
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(printed);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = 0] = match;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
};

/**
 * The moment between the two at which the offset changes to the later one's.
 * @param before a moment whose offset differs from that of `after`
 */
export const transitionBetween = ({ offsetAt }: TimeZone, before: number, after: number): number => {
  const offset = offsetAt(after);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (offsetAt(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
};

/** A moment in ISO 8601 with a zone's offset: `2024-03-01T00:00:00.000+01:00`, in UTC with `Z`. */
export const zonedIso = (ms: number, offsetMs: number): string => {
  const local = new Date(ms + offsetMs).toISOString().slice(0, -1);
  if (offsetMs === 0) return `${local}Z`;
  const seconds = Math.abs(offsetMs) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const printed = parts.slice(0, parts[2] === 0 ? 2 : 3).map((part) => String(part).padStart(2, '0'));
  return `${local}${offsetMs < 0 ? '-' : '+'}${printed.join(':')}`;
};
