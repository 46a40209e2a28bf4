import { useQueries, type QueryFunctionContext } from '@tanstack/react-query';
import { isGrowing, openIn, type Facet, type Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { fetchOverview, type Question } from '../api/questions.ts';

interface Part {
  readonly question: Question;
  /** undefined: not answered yet. */
  readonly overview: Overview | undefined;
  /** The values that are compared, by path. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/** The answers to some questions, with the counts of values that they are compared by and did not list, once these are here. */
export const useOpenValues = (
  catalogue: Catalogue | undefined,
  parts: readonly Part[],
): readonly (Overview | undefined)[] => {
  const open = parts.map(openKeys);
  const counts = useQueries({
    queries: parts.map(({ question }, at) => ({
      queryKey: ['open', catalogue?.source.id, question, open[at]],
      queryFn: (context: QueryFunctionContext) => {
        const also = open[at]!;
        return fetchOverview(catalogue!, question, Object.keys(also), { asUsual: 1, also }, context);
      },
      enabled: catalogue !== undefined && Object.keys(open[at]!).length > 0,
    })),
  });
  return parts.map(({ overview }, at) => overview && withCounts(overview, counts[at]?.data));
};

const openKeys = ({ overview, keys }: Part): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    overview === undefined || isGrowing(overview)
      ? []
      : [...keys].flatMap(([path, wanted]) => {
          const facet = overview.facets.get(path);
          const open = facet?.kind === 'values' && facet.level === undefined ? openIn(facet, wanted) : [];
          return open.length === 0 ? [] : [[path, open] as const];
        }),
  );

const withCounts = (overview: Overview, counted: Overview | undefined): Overview =>
  counted === undefined
    ? overview
    : {
        ...overview,
        facets: new Map(
          [...overview.facets].map(([path, facet]) => [path, both(facet, counted.facets.get(path))]),
        ),
      };

const both = (facet: Facet, counted: Facet | undefined): Facet =>
  facet.kind === 'values' && counted?.kind === 'values' && counted.also !== undefined
    ? { ...facet, also: [...(facet.also ?? []), ...counted.also] }
    : facet;
