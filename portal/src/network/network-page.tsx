import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { askNetworkState, type NetworkState, type NodeState } from '../api/network-state.ts';
import type { PageProps } from '../frame/page-props.ts';
import { useLocale } from '../i18n/locale.tsx';
import { Trouble } from '../look/trouble.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { usePlace } from '../state/use-place.ts';
import { FieldMatrix } from './field-matrix.tsx';
import { NodeTable } from './node-table.tsx';
import { latencyOf, type Sighting } from './sighting.ts';

const InstitutionPage = lazy(() => import('./institution-page.tsx'));

const refreshMs = 5_000;
const kept = 48;

/** The state of the institutions, refreshed as long as the page is open; those with problems first. */
const NetworkPage = ({ config, source }: PageProps) => {
  const { t, time } = useLocale();
  const network = source.kind === 'network' ? source : config.sources.find(({ kind }) => kind === 'network');
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['network', network?.id],
    queryFn: ({ signal }) => askNetworkState(network!, signal),
    enabled: network !== undefined,
    refetchInterval: refreshMs,
    staleTime: 0,
  });
  const seen = useSightings(data, dataUpdatedAt);
  const { node: nodeId, ...view } = usePlace().view;
  if (network === undefined) return <p className="page">{t.noNetwork}</p>;
  if (nodeId !== undefined)
    return (
      <div className="page stack wide">
        <p>
          <PageLink className="bare" page="network" view={view}>
            ← {t.networkTitle}
          </PageLink>
        </p>
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {data !== undefined && (
          <Suspense fallback={<p className="quiet">{t.loading}</p>}>
            <InstitutionPage source={network} network={data} {...{ nodeId, view }} />
          </Suspense>
        )}
      </div>
    );
  const troubled = data?.nodes.filter(isInTrouble) ?? [];
  return (
    <div className="page stack wide">
      <div className="stack">
        <h1>{t.networkTitle}</h1>
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {data !== undefined && (
          <>
            <p role="status">
              {troubled.length === 0 ? (
                t.allAnswer
              ) : (
                <b className="gone">{t.someTrouble(troubled.length, data.nodes.length)}</b>
              )}
            </p>
            <p className="small quiet">{t.asOf(time(dataUpdatedAt))}</p>
          </>
        )}
      </div>
      {data === undefined ? (
        !error && <p className="quiet">{t.loading}</p>
      ) : (
        <>
          <NodeTable nodes={data.nodes} isInTrouble={isInTrouble} seen={seen} />
          {data.warnings.length > 0 && (
            <section className="stack">
              <h2>{t.warnings}</h2>
              <ul className="note warn">
                {data.warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </section>
          )}
          <FieldMatrix network={data} />
        </>
      )}
    </div>
  );
};

/** Whether a node needs attention; one still being discovered does not. */
export const isInTrouble = ({ state }: NodeState): boolean => state !== 'ok' && state !== 'discovering';

/** The recent observations of each node, for as long as the page is open. */
const useSightings = (
  network: NetworkState | undefined,
  at: number,
): ReadonlyMap<string, readonly Sighting[]> => {
  const [seen, setSeen] = useState<ReadonlyMap<string, readonly Sighting[]>>(new Map());
  useEffect(() => {
    if (network === undefined) return;
    setSeen(
      (before) =>
        new Map(
          network.nodes.map((node) => [
            node.nodeId,
            [...(before.get(node.nodeId) ?? []), { at, state: node.state, latencyMs: latencyOf(node) }].slice(
              -kept,
            ),
          ]),
        ),
    );
  }, [network, at]);
  return seen;
};

export default NetworkPage;
