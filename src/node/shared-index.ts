import type { CatalogueConfig } from '../introspection/fields/catalogue-config.ts';

/**
 * Of guarded catalogues whose index another catalogue shows too, why they cannot be served: two releases over the same
 * records can be compared, and an open catalogue shows what the guarded one hides.
 * @returns by catalogue id; both are named
 */
export const sharedIndexProblems = (
  catalogues: readonly Pick<CatalogueConfig, 'catalogueId' | 'esIndex' | 'disclosure'>[],
): ReadonlyMap<string, string> => {
  const problems = new Map<string, string>();
  const byIndex = Map.groupBy(catalogues, ({ esIndex }) => esIndex);
  for (const [index, sharing] of byIndex) {
    if (index === null || sharing.length < 2 || !sharing.some(({ disclosure }) => disclosure)) continue;
    const names = sharing.map(({ catalogueId }) => catalogueId).join(' and ');
    const problem = `disclosure.json: ${names} serve the same index, which can have only one release; give each its own index`;
    sharing.forEach(({ catalogueId }) => problems.set(catalogueId, problem));
  }
  return problems;
};
