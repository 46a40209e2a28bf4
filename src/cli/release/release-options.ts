import { parseCommandLine } from '../terminal/command-line.ts';

/** The options of `tributary release`. */
export interface ReleaseOptions {
  /** null: all that have a disclosure.json. */
  readonly catalogue: string | null;
  readonly dryRun: boolean;
  readonly newSeries: boolean;
}

/** What `tributary release --help` prints. */
export const releaseUsage = `Usage: tributary release [--catalogue ID] [--dry-run] [--new-series]

Computes what callers who may not see records learn of a catalogue, as its disclosure.json says, audits it, and publishes
it. A running server answers from it within seconds. Nothing is published when the audit fails, when the slot of
releaseEvery has its release already, or when too few units changed since the one before; the one before stays.

  --catalogue ID   only this catalogue, as base.json or its folder names it
  --dry-run        print dimensions, cells, hidden share and audit, and publish nothing
  --new-series     publish although dimensions were changed in ways that make releases comparable
  --help           this text

Exit code: 0 when everything was published (or could be, with --dry-run), 1 when something was not, 2 for an invalid
command line.
`;

/**
 * The command line as options; null when help was requested.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const releaseOptions = (argv: readonly string[]): ReleaseOptions | null => {
  const options = {
    catalogue: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    'new-series': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseCommandLine(argv, { options });
  if (values.help === true) return null;
  return {
    catalogue: values.catalogue ?? null,
    dryRun: values['dry-run'],
    newSeries: values['new-series'],
  };
};
