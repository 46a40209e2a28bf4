import { keyedMac } from '../../lib/runtime/keyed-mac.ts';
import { invalidConfig } from '../../lib/errors/errors.ts';
import type { Capability, TrailParts } from '../http/capability.ts';
import type { Config } from '../config/config.ts';
import type { Trail } from '../../search/audited-search.ts';
import type { AuditParts } from '../http/ops/record-requests.ts';
import type { ServerKey } from '../../lib/runtime/server-key.ts';

type AuditedConfig = Pick<Config, 'audit' | 'access' | 'catalogues'>;

/** Whether a server has an audit trail: if it is configured, or something is not open to everybody. */
export const isAudited = ({ audit, access, catalogues }: AuditedConfig, hasAccessFilter: boolean): boolean =>
  audit.isOn ?? (hasAccessFilter || access !== null || catalogues.some((one) => one.disclosure));

/**
 * Opens the trail of a server.
 * @param hasAccessFilter whether the application has one
 * @returns null if nothing is audited
 * @throws TributaryError NOT_READY when nothing can be written, and the trail is required; CONFIG_INVALID where no
 *   capability writes it
 */
export const openTrail = (
  config: AuditedConfig,
  parts: Omit<TrailParts, 'settings'>,
  capabilities: readonly Capability[],
  hasAccessFilter = false,
): Trail | null => {
  if (!isAudited(config, hasAccessFilter)) return null;
  const writer = capabilities.find(({ trail }) => trail !== undefined);
  if (writer?.trail !== undefined) return writer.trail({ ...parts, settings: config.audit });
  throw invalidConfig(
    'the audit trail needs the capability audit, which this server does not have: AUDIT=off goes without',
  );
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
  {
    log,
    accessFilter,
    capabilities = [],
  }: {
    readonly log: TrailParts['log'];
    readonly accessFilter?: unknown;
    readonly capabilities?: readonly Capability[];
  },
): NodeAudit => {
  const queryMac = keyedMac(key.derive('audit queries'));
  const open = (changed: Config): AuditParts | null => {
    const trail = openTrail(changed, { key, log }, capabilities, accessFilter !== undefined);
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
