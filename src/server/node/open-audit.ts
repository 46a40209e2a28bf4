import { openAuditTrail, trailKeys } from '../../capabilities/access/audit/audit-trail.ts';
import { keyedMac } from '../../lib/runtime/keyed-mac.ts';
import type { Config } from '../config/config.ts';
import type { Trail } from '../../search/audited-search.ts';
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
): Trail | null => {
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
