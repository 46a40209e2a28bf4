import type { NodePart, Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Source } from '../api/config.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { countText, hasAnswered, stateText } from '../look/honest.ts';
import { WithheldMark } from '../look/withheld.tsx';
import { colourOf } from '../look/node-colours.ts';
import type { View } from '../state/view.ts';

interface FiguresProps {
  readonly catalogue: Catalogue;
  readonly answer: Overview;
  readonly view: View;
}

/** How many records, institutions and fields there are. */
export const Figures = ({ source, catalogue, answer, view }: FiguresProps & { readonly source: Source }) => {
  const { t, number } = useLocale();
  const answered = answer.nodes.filter(hasAnswered);
  return (
    <section className="figures" aria-label={t.total}>
      <div>
        <PageLink page="explore" view={view}>
          <span className="number" data-testid="total">
            {answer.total === null ? '—' : countText({ ...answer, count: answer.total }, number, t)}
          </span>
        </PageLink>
        <p className="quiet">{answer.total === null ? t.fromNobody : t.records(answer.total)}</p>
      </div>
      {source.kind === 'network' && (
        <div>
          <PageLink page="network" view={view}>
            <span className="number">{number(answered.length)}</span>
          </PageLink>
          <p className="quiet">
            {answered.length === answer.nodes.length ? (
              t.institutionsOf(answered.length)
            ) : (
              <b className="gone">{t.coveredBy(answered.length, answer.nodes.length)}</b>
            )}
          </p>
        </div>
      )}
      <div>
        <span className="number">{number(catalogue.fields.size)}</span>
        <p className="quiet">{t.fieldsOf(catalogue.fields.size)}</p>
      </div>
    </section>
  );
};

/** The largest first, as on Explore; who does not answer last. */
const byRecords = (one: NodePart, other: NodePart): number => (other.hits ?? -1) - (one.hits ?? -1);

/** Each institution with its share, and who does not answer. */
export const Institutions = ({ catalogue, answer, view }: FiguresProps) => {
  const { t, number, percent } = useLocale();
  return (
    <section aria-label={t.institutions}>
      <h2>{t.institutions}</h2>
      <ul className="institutions">
        {[...answer.nodes].sort(byRecords).map((node) => (
          <li key={node.nodeId}>
            <span className="dot" style={{ background: colourOf(catalogue, node.nodeId) }} aria-hidden />
            {hasAnswered(node) ? (
              <>
                <span>
                  <PageLink page="explore" view={{ ...view, nodes: [node.nodeId] }}>
                    {node.name}
                  </PageLink>{' '}
                  <WithheldMark disclosure={node.disclosure} />
                </span>
                <span className="n">
                  {countText({ count: node.hits ?? 0, upper: node.upper }, number, t)}
                </span>
                <span className="n quiet">{percent((node.hits ?? 0) / (answer.total || 1))}</span>
                <span className="value-share" aria-hidden>
                  <span
                    style={{
                      width: `${(100 * (node.hits ?? 0)) / (answer.total || 1)}%`,
                      background: colourOf(catalogue, node.nodeId),
                    }}
                  />
                </span>
              </>
            ) : node.state === 'pending' ? (
              <span className="quiet">{t.labelled(node.name, t.states.pending)}</span>
            ) : (
              <span className="gone">
                {node.name} {t.didNotAnswer(stateText(node.state, t))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
