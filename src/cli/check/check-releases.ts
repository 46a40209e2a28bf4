import { disclosureProblems } from '../../capabilities/disclosure/release/check-disclosure.ts';
import { openReleaseStore } from '../../capabilities/disclosure/release/release-store.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import type { Registry } from '../../local/registry.ts';

/** Whether each disclosure.json fits its catalogue, and which release answers guarded callers. */
export const checkReleases = (
  registry: Registry,
  dataPath: string,
): { readonly lines: readonly string[]; readonly fine: boolean } => {
  const found = registry.states().flatMap((state) => {
    if (state.status !== 'available' || state.config.disclosure === undefined) return [];
    const { catalogueId, disclosure } = state.config;
    const problems = [...disclosureProblems(disclosure, state.catalogue.fields)];
    const release = releaseOf(dataPath, catalogueId);
    const problem = release.problem === null ? [] : [release.problem];
    return [
      {
        lines: [...problems, ...problem].map((line) => `  ${catalogueId}: ${line}`),
        fine: problems.length + problem.length === 0,
      },
      {
        lines:
          release.date === null
            ? []
            : [`  ${catalogueId}: answers guarded callers from the release of ${release.date}`],
        fine: true,
      },
    ];
  });
  return { lines: found.flatMap(({ lines }) => lines), fine: found.every(({ fine }) => fine) };
};

const releaseOf = (
  dataPath: string,
  catalogueId: string,
): { readonly date: string | null; readonly problem: string | null } => {
  const store = openReleaseStore(dataPath, catalogueId);
  try {
    const id = store.currentId();
    if (store.withdrawnId() !== null)
      return {
        date: null,
        problem: 'its release was withdrawn, so guarded callers get nothing until the next one',
      };
    if (id === null)
      return {
        date: null,
        problem:
          'nothing is released yet, so guarded callers get no answer: tributary release makes the first release',
      };
    return { date: store.read(id).date, problem: null };
  } catch (error) {
    return { date: null, problem: asTributaryError(error).message };
  }
};
