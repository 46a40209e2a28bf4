import { userInfo } from 'node:os';
import { asTributaryError } from '../../../lib/errors/errors.ts';
import type { Trail } from '../../../search/audited-search.ts';
import type { ReleaseSource } from './make-release.ts';
import { publishRelease, type PublishOptions, type ReleaseOutcome } from './publish-release.ts';
import type { ReleaseStore } from './release-store.ts';
import { idOf, releaseText } from './release.ts';

/** Who makes releases: an operator on the command line, or the server by its schedule. */
export type Releaser = { readonly trail: Trail | null; readonly by: 'command' | 'schedule' };

/** What is audited about a release, in addition to its catalogue. */
interface ReleaseLine {
  readonly outcome: 'published' | 'corrected' | 'refused' | 'withdrawn' | 'failed';
  /** Its id; null: none was made. */
  readonly id: string | null;
  /** The slot; null: not known. */
  readonly date: string | null;
  /** Options that lower the requirements. */
  readonly options?: readonly string[];
  /** The error code. */
  readonly code?: string;
}

/** Audits an action on a catalogue's release, but never its counts nor the reason of a refusal. */
export const writeRelease = (
  { trail, by }: Releaser,
  catalogueId: string,
  { outcome, id, date, options = [], code }: ReleaseLine,
): void =>
  trail?.write({
    'event.action': 'release',
    'event.outcome': outcome === 'refused' || outcome === 'failed' ? 'failure' : 'success',
    ...(code !== undefined && { 'error.code': code }),
    ...(by === 'command' && { 'user.name': userName() }),
    'tributary.catalogue': catalogueId,
    'tributary.door': by,
    'tributary.release': id,
    'tributary.release_outcome': outcome,
    'tributary.release_date': date,
    ...(options.length > 0 && { 'tributary.release_options': [...options] }),
  });

/** The user of the operating system; containers may run under a number without a name. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
};

/** publishRelease with an audit: each attempt is written down, a release before it is visible. */
export const publishAudited = async (
  source: ReleaseSource,
  store: ReleaseStore,
  options: PublishOptions,
  releaser: Releaser,
): Promise<ReleaseOutcome> => {
  if (options.dryRun === true) return publishRelease(source, store, options);
  const { catalogueId } = source;
  const used = (['newSeries', 'first', 'slot'] as const).filter((key) => Boolean(options[key]));
  const write = (line: ReleaseLine): void => writeRelease(releaser, catalogueId, { ...line, options: used });
  const publish: ReleaseStore['publish'] = (release, ...rest) => {
    const outcome = options.correct === true ? 'corrected' : 'published';
    write({ outcome, id: idOf(releaseText(release)), date: release.date });
    return store.publish(release, ...rest);
  };
  try {
    const done = await publishRelease(source, { ...store, publish }, options);
    if (done.kind === 'withheld') write({ outcome: 'refused', id: null, date: done.draft.release.date });
    return done;
  } catch (error) {
    write({ outcome: 'failed', id: null, date: null, code: asTributaryError(error).code });
    throw error;
  }
};
