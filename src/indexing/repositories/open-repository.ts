import type { Wait } from '../../lib/net/retry.ts';
import { recordRepository } from './record-repository.ts';
import type { Repository, RepositoryConfig } from './repository.ts';
import { openRepositoryClient } from './repository-client.ts';
import { studyRepository } from './study-repository.ts';

/**
 * A repository over HTTP. It is not contacted yet, and nothing needs closing.
 * @param wait waits between attempts; tests pass a function that does not wait
 * @throws TributaryError CONFIG_INVALID a base URL or a credential that cannot be sent
 */
export const openRepository = (config: RepositoryConfig, wait?: Wait): Repository => {
  const client = openRepositoryClient(config, wait);
  switch (config.kind) {
    case 'study':
      return studyRepository(config, client);
    case 'record':
      return recordRepository(config, client);
  }
};
