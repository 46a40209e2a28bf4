import { lazy } from 'react';
import type { Facet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig, Source } from '../api/config.ts';
import type { NetworkState } from '../api/network-state.ts';
import { useCatalogue, useOverview } from '../api/use-answers.ts';
import { PageLink } from '../frame/page-link.tsx';
import { capital } from '../i18n/plural.ts';
import { useLocale } from '../i18n/locale.tsx';
import { countText, hasAnswered, stateText } from '../look/honest.ts';
import { useRecords } from '../look/counted.ts';
import { colourOf } from '../look/node-colours.ts';
import { Opening } from '../look/opening.tsx';
import { showValue } from '../look/show-value.ts';
import { Trouble } from '../look/trouble.tsx';
import { WithheldMark } from '../look/withheld.tsx';
import { timePath } from '../explore/timeline-path.ts';
import type { View } from '../state/view.ts';
import { Variables } from './variables.tsx';
import { Contact } from './institution-card.tsx';
import { LastUpdated } from './node-row.tsx';

const RequestDialog = lazy(() => import('../request/request-dialog.tsx'));

interface InstitutionPageProps {
  readonly config: PortalConfig;
  readonly source: Source;
  readonly network: NetworkState;
  readonly nodeId: string;
  readonly view: View;
}

const noSizes = { asUsual: 1 };

/** An institution's description, the number and dates of its records, and the fields it fills. */
const InstitutionPage = ({ config, source, network, nodeId, view }: InstitutionPageProps) => {
  const { t, language, number } = useLocale();
  const { data: catalogue, error } = useCatalogue(source, language);
  const records = useRecords(catalogue);
  const node = network.nodes.find((each) => each.nodeId === nodeId);
  const time = catalogue === undefined ? null : timePath(catalogue, catalogue.facets);
  const { data: answer } = useOverview(
    catalogue,
    { filter: null, nodes: [nodeId] },
    time === null ? [] : [time],
    noSizes,
  );
  if (node === undefined) return <p className="note">{t.goneNodes(nodeId)}</p>;
  if (error) return <Trouble error={error} />;
  if (catalogue === undefined) return <p className="quiet">{t.loading}</p>;
  const institution = catalogue.nodes.find((each) => each.nodeId === nodeId) ?? node;
  const { description, place } = institution.about ?? {};
  const part = answer?.nodes.find((each) => each.nodeId === nodeId);
  const ofNode: View = { ...view, nodes: [nodeId] };
  const isKnown = part !== undefined && hasAnswered(part);
  const names = new Map(
    network.fields.flatMap(({ path, nodes }) => {
      const own = nodes.find((each) => each.nodeId === nodeId);
      return own?.path == null ? [] : [[path, own.path] as const];
    }),
  );
  return (
    <>
      <div className="stack">
        <h1>
          <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden /> {node.name}
        </h1>
        {place?.name !== undefined && <p className="quiet">{place.name}</p>}
        {description !== undefined && <p className="lead">{description}</p>}
        <Contact institution={institution} />
        <div>
          <Opening label={t.request} isMain>
            {(close) => (
              <RequestDialog
                {...{ catalogue, config }}
                view={{ ...ofSource(view), nodes: [nodeId] }}
                onClose={close}
              />
            )}
          </Opening>
        </div>
        <p className={node.state === 'ok' ? 'small quiet' : 'small gone'}>
          {capital(stateText(node.state, t))} <WithheldMark disclosure={node.disclosure ?? null} />
        </p>
      </div>
      <section className="figures" aria-label={t.total}>
        <div>
          <PageLink page="explore" view={ofNode}>
            <span className="number" data-testid="total">
              {isKnown ? countText({ count: part.hits ?? 0, upper: part.upper }, number, t) : '—'}
            </span>
          </PageLink>
          <p className="quiet">{records(part?.hits ?? 0)}</p>
          {isKnown && <LastUpdated part={part} />}
        </div>
        {time !== null && <DataOf {...{ catalogue, time }} facet={answer?.facets.get(time)} />}
      </section>
      <Variables {...{ catalogue }} only={{ nodeId, names }} />
    </>
  );
};

const ofSource = ({ source }: View): View => (source === undefined ? {} : { source });

/** The period of its records. */
const DataOf = ({
  catalogue,
  time,
  facet,
}: {
  readonly catalogue: Catalogue;
  readonly time: string;
  readonly facet: Facet | undefined;
}) => {
  const locale = useLocale();
  const field = catalogue.fields.get(time)!;
  if (facet === undefined || facet.kind === 'values' || facet.min === null || facet.max === null) return null;
  const show = showValue(field, locale);
  return (
    <div>
      <span className="number">
        {locale.t[field.kind === 'dates' ? 'ofDates' : 'ofNumbers'].between(show(facet.min), show(facet.max))}
      </span>
      <p className="quiet">{field.name}</p>
    </div>
  );
};

export default InstitutionPage;
