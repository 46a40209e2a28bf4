import { openRepository } from '../../indexing/repositories/open-repository.ts';
import type { RepositoryConfig } from '../../indexing/repositories/repository-config.ts';
import { describeError } from '../terminal/describe-error.ts';

export interface CheckedRepositories {
  /** One line for each repository. */
  readonly lines: readonly string[];
  /** Whether all of them answer. */
  readonly fine: boolean;
}

/** Checks all repositories in parallel, each with its own timeout. */
export const checkRepositories = async (
  configs: readonly RepositoryConfig[],
): Promise<CheckedRepositories> => {
  const checked = await Promise.all(configs.map(checkRepository));
  return { lines: checked.map(({ line }) => line), fine: checked.every(({ fine }) => fine) };
};

const checkRepository = async (config: RepositoryConfig): Promise<{ line: string; fine: boolean }> => {
  const { code, kind, indexName, timeoutMs } = config;
  const what = `  repository ${code} (${kind}-based, index ${indexName})`;
  try {
    await openRepository(config).probe(AbortSignal.timeout(timeoutMs));
    return { line: `${what}: answers`, fine: true };
  } catch (error) {
    return { line: `${what}: ${describeError(error)}`, fine: false };
  }
};
