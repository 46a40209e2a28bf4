import { userInfo } from 'node:os';
import { openAuditTrail, trailKeys, type AuditTrail } from '../../capabilities/access/audit/audit-trail.ts';
import { keyedMac } from '../../capabilities/access/audit/keyed-mac.ts';
import type { Config } from '../config/config.ts';
import {
  publishRelease,
  type PublishOptions,
  type ReleaseOutcome,
} from '../../capabilities/disclosure/release/publish-release.ts';
import type { ReleaseSource } from '../../capabilities/disclosure/release/make-release.ts';
import type { ReleaseStore } from '../../capabilities/disclosure/release/release-store.ts';
import { idOf, releaseText } from '../../capabilities/disclosure/release/release.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import type { AuditParts } from '../http/ops/record-requests.ts';
import type { ServerKey } from '../../lib/runtime/server-key.ts';

interface AuditLog {
  readonly error: (details: object, message: string) => void;
}

type AuditedConfig = Pick<Config, 'audit' | 'access' | 'catalogues'>;

/**
 * Opens the trail of a server, if it is configured or a catalogue is guarded.
 * @param hasAccessFilter whether the application has one
 * @returns null if nothing is audited
 * @throws TributaryError NOT_READY when nothing can be written, and the trail is required
 */
export const openTrail = (
  { audit, access, catalogues }: AuditedConfig,
  key: ServerKey,
  log: AuditLog,
  hasAccessFilter = false,
): AuditTrail | null => {
  const isGuarded = hasAccessFilter || access !== null || catalogues.some((one) => one.disclosure);
  if (!(audit.isOn ?? isGuarded)) return null;
  return openAuditTrail({
    ...audit,
    ...trailKeys(key),
    warn: (error) => log.error({ err: error }, 'the audit trail cannot be written'),
  });
};

/** Where a node writes its audit trail. */
export interface NodeAudit {
  /** null: there is none, until a configuration guards a catalogue. */
  readonly parts: AuditParts | null;
  /** Opens the trail if the new configuration requires one. */
  readonly reload: (config: Config) => void;
  readonly close: () => void;
}

/** @throws TributaryError NOT_READY, as openTrail */
export const openAudit = (
  config: Config,
  key: ServerKey,
  { log, accessFilter }: { readonly log: AuditLog; readonly accessFilter?: unknown },
): NodeAudit => {
  const queryMac = keyedMac(key.derive('audit queries'));
  const open = (changed: Config): AuditParts | null => {
    const trail = openTrail(changed, key, log, accessFilter !== undefined);
    return trail && { trail, queryMac };
  };
  const audit = {
    parts: open(config),
    reload: (changed: Config): void => {
      audit.parts ??= open(changed);
    },
    close: () => audit.parts?.trail.close(),
  };
  return audit;
};

/** Who makes releases: an operator on the command line, or the server by its schedule. */
export type Releaser = { readonly trail: AuditTrail | null; readonly by: 'command' | 'schedule' };

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
