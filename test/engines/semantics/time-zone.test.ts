import test from 'ava';
import { requiredZone } from '../../../src/engines/semantics/time-zone.ts';

const hourMs = 3_600_000;

/** What the platform says of a moment, queried for it alone; of no offset, with or without its digits. */
const offsetsOf = (timeZone: string): ((ms: number) => string) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', year: 'numeric' });
  return (ms) => format.format(ms).split(', ')[1]!.replace('+00:00', '');
};

const printed = (offsetMs: number): string => {
  if (offsetMs === 0) return 'GMT';
  const minutes = Math.abs(offsetMs) / 60_000;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `GMT${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

for (const name of ['Europe/Paris', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Pacific/Apia'])
  test(`what is remembered of ${name} is what the platform says, in whatever order it is queried`, (t) => {
    const zone = requiredZone(name);
    const hours = Array.from({ length: 24 * 400 }, (_, hour) => Date.UTC(2011, 0, 1) + hour * hourMs);
    const offsetOf = offsetsOf(name);
    for (const requested of [hours, hours.toReversed()])
      t.deepEqual(
        requested.map((ms) => printed(zone.offsetAt(ms))),
        requested.map(offsetOf),
      );
  });

test('an unknown zone is named', (t) => {
  t.throws(() => requiredZone('Mars/Olympus'), {
    message: 'timeZone must be a time zone such as Europe/Paris or +05:30, not "Mars/Olympus"',
  });
});
