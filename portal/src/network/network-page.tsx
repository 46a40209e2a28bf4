import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { askNetworkState } from '../api/network-state.ts';
import { useCatalogue } from '../api/use-answers.ts';
import type { PageProps } from '../frame/page-props.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { Trouble } from '../look/trouble.tsx';
import { usePlace } from '../state/use-place.ts';
import { Administration } from './administration.tsx';
import { isGood } from './node-row.tsx';
import { NodeTable } from './node-table.tsx';
import { Variables } from './variables.tsx';

const InstitutionPage = lazy(() => import('./institution-page.tsx'));

const refreshMs = 5_000;

/** The institutions and what they hold; their state is refreshed as long as the page is open. */
const NetworkPage = ({ config, source }: PageProps) => {
  const { t } = useLocale();
  const network = source.kind === 'network' ? source : config.sources.find(({ kind }) => kind === 'network');
  if (network === undefined) return <p className="page">{t.noNetwork}</p>;
  return <Network config={config} source={network} />;
};

const Network = ({ config, source }: PageProps) => {
  const { t, time, language } = useLocale();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['network', source.id],
    queryFn: ({ signal }) => askNetworkState(source, signal),
    refetchInterval: refreshMs,
    staleTime: 0,
  });
  const { data: catalogue } = useCatalogue(source, language);
  const { node: nodeId, ...view } = usePlace().view;
  const trouble = error && <Trouble error={error} onRetry={() => void refetch()} />;
  if (nodeId !== undefined)
    return (
      <div className="page stack wide">
        <p>
          <PageLink className="bare" page="network" view={view}>
            ← {t.pages.network}
          </PageLink>
        </p>
        {trouble}
        {data !== undefined && (
          <Suspense fallback={<p className="quiet">{t.loading}</p>}>
            <InstitutionPage network={data} {...{ config, source, nodeId, view }} />
          </Suspense>
        )}
      </div>
    );
  const troubled = data?.nodes.filter((node) => !isGood(node)) ?? [];
  return (
    <div className="page stack wide">
      <div className="stack">
        <h1>{t.pages.network}</h1>
        {trouble}
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
          <NodeTable {...{ catalogue }} nodes={data.nodes} />
          {catalogue !== undefined && <Variables {...{ catalogue }} />}
          <Administration network={data} />
        </>
      )}
    </div>
  );
};

export default NetworkPage;
