import type { Logger } from 'pino';
import type { Capability } from '../../server/http/capability.ts';
import type { Metrics } from '../../server/http/ops/metrics.ts';
import { atMostEachMinute } from '../../server/node/node-gauges.ts';
import {
  anonymousAccess,
  openAccess,
  openKeyRing,
  rulesHash,
  rulesOf,
  type AccessObserver,
} from './open-access.ts';
import type { DifferentSlash } from './verify-token.ts';

export const access: Capability = {
  name: 'access',
  check: ({ access: file, catalogues }) => void (file && rulesOf({ catalogues }, file)),
  rules: (config) => {
    const rules = rulesOf(config, config.access);
    return { access: anonymousAccess(rules), namesDisclosure: rules.namesDisclosure };
  },
  open: ({ config: { dataPath, access: first }, metrics, log, trail }) => {
    const observer = observerFor(metrics, log);
    const keys = openKeyRing(dataPath, observer);
    if (first !== null && first.keys?.kind !== 'pem')
      metrics?.gauge(
        'tributary_token_keys_timestamp_seconds',
        'When the oldest keys of tokens were fetched; 0: never.',
        () => [[(keys.fetchedMs() ?? 0) / 1_000]],
      );
    return {
      access: {
        of: (config) => openAccess(config, keys, observer),
        inEffect: (rules) => {
          const [file, hash] = [rules.file, rulesHash(rules)];
          log.info({ file, rules: hash }, 'access rules in effect');
          trail()?.write({
            'event.action': 'access rules in effect',
            'file.path': file,
            'file.hash.sha256': hash,
          });
        },
      },
    };
  },
};

const observerFor = (metrics: Metrics | null, log: Logger): AccessObserver => {
  const warnOfKeys = atMostEachMinute((error: unknown) =>
    log.warn({ err: error }, 'the keys that tokens are checked with cannot be fetched'),
  );
  const warnOfSlash = atMostEachMinute((issuers: DifferentSlash) =>
    log.warn(
      issuers,
      'a token was refused: its issuer and the configured one differ by the slash at the end',
    ),
  );
  return {
    slashDiffers: warnOfSlash,
    fetchFailed: (error) => {
      metrics?.keysFailed();
      warnOfKeys(error);
    },
    visaRefused: (visa) => log.debug(visa, 'a visa counts for nothing'),
  };
};
