import type { Capability } from '../../server/http/capability.ts';
import { openAuditTrail, trailKeys } from './audit-trail.ts';

export const audit: Capability = {
  name: 'audit',
  trail: ({ settings, key, log }) =>
    openAuditTrail({
      ...settings,
      ...trailKeys(key),
      warn: (error) => log.error({ err: error }, 'the audit trail cannot be written'),
    }),
};
