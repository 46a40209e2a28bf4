import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Facet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { countsQuery, type Counted } from '../api/counts.ts';
import type { Source } from '../api/config.ts';
import { isYear, type Field } from '../api/fields.ts';
import type { NetworkState } from '../api/network-state.ts';
import { useCatalogue, useOverview } from '../api/use-answers.ts';
import { PageLink } from '../frame/page-link.tsx';
import { capital } from '../i18n/plural.ts';
import { useLocale } from '../i18n/locale.tsx';
import { countText, hasAnswered, stateText } from '../look/honest.ts';
import { useRecords } from '../look/counted.ts';
import { FindField } from '../look/find-field.tsx';
import { colourOf } from '../look/node-colours.ts';
import { Trouble } from '../look/trouble.tsx';
import { WithheldMark } from '../look/withheld.tsx';
import { timePath } from '../explore/timeline-path.ts';
import type { View } from '../state/view.ts';
import { filled } from './variables.tsx';
import { Contact } from './institution-card.tsx';

interface InstitutionPageProps {
  readonly source: Source;
  readonly network: NetworkState;
  readonly nodeId: string;
  readonly view: View;
}

const noSizes = { asUsual: 1, more: {} };

/** An institution's description, the number and dates of its records, and the fields it fills. */
const InstitutionPage = ({ source, network, nodeId, view }: InstitutionPageProps) => {
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
  return (
    <>
      <div className="stack">
        <h1>
          <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden /> {node.name}
        </h1>
        {place?.name !== undefined && <p className="quiet">{place.name}</p>}
        {description !== undefined && <p className="lead">{description}</p>}
        <Contact institution={institution} />
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
        </div>
        {time !== null && <DataOf {...{ catalogue, time }} facet={answer?.facets.get(time)} />}
      </section>
      <FilledFields
        {...{ catalogue, network, nodeId }}
        total={isKnown ? { count: part.hits ?? 0, upper: part.upper } : null}
      />
    </>
  );
};

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
  const { t, day, number } = useLocale();
  const { name, kind } = catalogue.fields.get(time)!;
  if (facet === undefined || facet.kind === 'values' || facet.min === null || facet.max === null) return null;
  const show = (value: number): string =>
    kind === 'dates' ? day(value) : isYear(time) ? String(value) : number(value);
  return (
    <div>
      <span className="number">{t.rangeOf(show(facet.min), show(facet.max))}</span>
      <p className="quiet">{name}</p>
    </div>
  );
};

interface FilledFieldsProps {
  readonly catalogue: Catalogue;
  readonly network: NetworkState;
  readonly nodeId: string;
  readonly total: Counted | null;
}

const fieldsShown = 36;

/** Each of its fields: its own name for it, and how many of its records have a value. */
const FilledFields = ({ catalogue, network, nodeId, total }: FilledFieldsProps) => {
  const { t, number } = useLocale();
  const [text, setText] = useState('');
  const [shown, setShown] = useState(fieldsShown);
  const ownPaths = new Map(
    network.fields.flatMap(({ path, nodes }) => {
      const node = nodes.find((each) => each.nodeId === nodeId);
      return node?.path == null ? [] : [[path, node.path] as const];
    }),
  );
  const wanted = text.trim().toLowerCase();
  const found = [...catalogue.fields.values()].filter(
    ({ path, name, kind, nodes }) =>
      kind !== 'nested' &&
      kind !== 'other' &&
      nodes?.includes(nodeId) === true &&
      (path.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)),
  );
  const fields = found.slice(0, shown);
  const { data } = useQuery({
    ...countsQuery(catalogue, fields.map(filled), [nodeId]),
    enabled: total !== null && fields.length > 0,
  });
  return (
    <section className="stack">
      <h2>
        {t.filledFields} <small>{number(found.length)}</small>
      </h2>
      <FindField label={t.findField} text={text} onText={setText} style={{ maxWidth: 360 }} />
      <div className="tablebox" tabIndex={0} role="region" aria-label={t.filledFields}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col" className="n">
                {t.withValue}
              </th>
              <th scope="col" className="n">
                {t.share1}
              </th>
              <th scope="col">{t.ownField}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field, at) => (
              <FilledField
                key={field.path}
                {...{ field, total }}
                own={ownPaths.get(field.path) ?? field.path}
                counted={data?.[at] ?? null}
              />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > shown && (
        <p>
          <button type="button" className="plain" onClick={() => setShown(shown + fieldsShown)}>
            {t.more(number(found.length - shown))}
          </button>
        </p>
      )}
    </section>
  );
};

interface FilledFieldProps {
  readonly field: Field;
  readonly own: string;
  readonly counted: Counted | null;
  readonly total: Counted | null;
}

const FilledField = ({ field, own, counted, total }: FilledFieldProps) => {
  const { t, number, percent } = useLocale();
  const isExact = counted !== null && total !== null && counted.upper === counted.count;
  const share =
    isExact && total.upper === total.count && total.count > 0 ? counted.count / total.count : null;
  return (
    <tr>
      <th scope="row" title={field.description ?? undefined}>
        {field.name}
        {field.unit !== null && <small> {field.unit}</small>}
      </th>
      <td className="n">{counted === null ? '' : countText(counted, number, t)}</td>
      <td className="n">
        {share !== null && (
          <>
            {percent(share)}
            <span className="value-share" aria-hidden>
              <span style={{ width: `${100 * share}%`, background: 'var(--accent)' }} />
            </span>
          </>
        )}
      </td>
      <td>
        <code>{own}</code>
      </td>
    </tr>
  );
};

export default InstitutionPage;
