import type { Facet, Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Source } from '../api/config.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { countText, hasAnswered } from '../look/honest.ts';
import type { View } from '../state/view.ts';

interface FiguresProps {
  readonly catalogue: Catalogue;
  readonly answer: Overview;
  readonly view: View;
  readonly source: Source;
  /** The field of the timeline. */
  readonly time: string | null;
}

/** The number of records, institutions and fields, and the years of the records. */
export const Figures = ({ source, catalogue, answer, view, time }: FiguresProps) => {
  const { t, number } = useLocale();
  const records = useRecords(catalogue);
  const answered = answer.nodes.filter(hasAnswered);
  const span = spanOf(catalogue, time === null ? undefined : answer.facets.get(time));
  return (
    <section className="figures" aria-label={t.total}>
      <div>
        <PageLink page="explore" view={view}>
          <span className="number" data-testid="total">
            {answer.total === null ? '—' : countText({ ...answer, count: answer.total }, number, t)}
          </span>
        </PageLink>
        <p className="quiet">{answer.total === null ? t.fromNobody : records(answer.total)}</p>
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
      {span !== null && (
        <div>
          <span className="number">{span}</span>
          <p className="quiet">{catalogue.fields.get(time!)?.name}</p>
        </div>
      )}
    </section>
  );
};

/** From the first year to the last one. */
const spanOf = ({ fields }: Catalogue, facet: Facet | undefined): string | null => {
  if (facet === undefined || facet.kind === 'values' || facet.min === null || facet.max === null) return null;
  const yearOf = (value: number): number =>
    fields.get(facet.path)?.kind === 'dates' ? new Date(value).getUTCFullYear() : value;
  const [first, last] = [yearOf(facet.min), yearOf(facet.max)];
  return first === last ? String(first) : `${first}–${last}`;
};
