import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NodePart, Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { newestQuery } from '../api/queries.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { countText, hasAnswered, isIncomplete, stateText } from '../look/honest.ts';
import { colourOf, largest } from '../look/node-colours.ts';
import { showValue } from '../look/show-value.ts';
import { WithheldMark } from '../look/withheld.tsx';
import { InstitutionCard } from '../network/institution-card.tsx';
import type { View } from '../state/view.ts';

/** If there are more institutions, the largest are shown here, and all on the network page. */
const cardsShown = 12;

interface InstitutionsProps {
  readonly catalogue: Catalogue;
  readonly answer: Overview;
  readonly view: View;
  /** The field of the timeline. */
  readonly time: string | null;
}

/** Each institution with its share, including those that do not answer. */
export const Institutions = ({ catalogue, answer, view, time }: InstitutionsProps) => {
  const { t, number } = useLocale();
  const { nodes } = answer;
  const cards = largest(nodes, cardsShown);
  const answered = cards.filter(hasAnswered);
  const ids = answered.map(({ nodeId }) => nodeId);
  const { data: newest } = useQuery({
    ...newestQuery(catalogue, ids, time),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="stack" aria-label={t.institutions}>
      <h2>{t.institutions}</h2>
      <ul className="cards">
        {cards.map((node) => (
          <li key={node.nodeId} className="card">
            <InstitutionCard
              {...{ catalogue, view }}
              institution={catalogue.nodes.find(({ nodeId }) => nodeId === node.nodeId) ?? node}
            >
              <Records {...{ catalogue, answer, view, node }} />
              <Newest {...{ catalogue, time }} value={newest?.get(node.nodeId) ?? null} />
            </InstitutionCard>
          </li>
        ))}
      </ul>
      {nodes.length > cardsShown && (
        <p>
          <PageLink page="network" view={view}>
            {t.more(number(nodes.length - cardsShown))}
          </PageLink>
        </p>
      )}
    </section>
  );
};

/** The number of records of an institution, or why it is not known. */
const Records = ({
  catalogue,
  answer,
  view,
  node,
}: Omit<InstitutionsProps, 'time'> & { readonly node: NodePart }) => {
  const { t, number, percent } = useLocale();
  const records = useRecords(catalogue);
  if (!hasAnswered(node))
    return node.state === 'pending' ? (
      <p className="quiet">{t.states.pending}</p>
    ) : (
      <p className="gone">{t.didNotAnswer(stateText(node.state, t))}</p>
    );
  const hits = node.hits ?? 0;
  const share = hits / (answer.total || 1);
  return (
    <>
      <p>
        <PageLink page="explore" view={{ ...view, nodes: [node.nodeId] }}>
          <b className="large">{countText({ count: hits, upper: node.upper }, number, t)}</b> {records(hits)}
        </PageLink>{' '}
        <span className="small quiet">{percent(share)}</span> <WithheldMark disclosure={node.disclosure} />
      </p>
      <span className="value-share" aria-hidden>
        <span style={{ width: `${100 * share}%`, background: colourOf(catalogue, node.nodeId) }} />
      </span>
      {isIncomplete(node) && <p className="small gone">{t.zero.incomplete}</p>}
    </>
  );
};

/** The date of an institution's newest records. */
const Newest = ({
  catalogue,
  time,
  value,
}: Pick<InstitutionsProps, 'catalogue' | 'time'> & { readonly value: number | null }) => {
  const locale = useLocale();
  if (time === null || value === null) return null;
  const field = catalogue.fields.get(time)!;
  return (
    <p className="small quiet">
      {locale.t.labelled(locale.t.newestOf(field.name), showValue(field, locale)(value))}
    </p>
  );
};
