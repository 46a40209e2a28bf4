import type { Catalogue } from '../api/catalogue.ts';
import { titleOf } from '../api/fields.ts';
import { useLocale } from '../i18n/locale.tsx';

/** The place of a chart whose numbers are still being fetched, so that its neighbours do not move when it appears. */
export const AwaitedChart = ({
  catalogue,
  path,
}: {
  readonly catalogue: Catalogue;
  readonly path: string;
}) => {
  const { t } = useLocale();
  const title = titleOf(catalogue.fields.get(path)!);
  return (
    <article className="card chart" aria-label={title}>
      <h3>{title}</h3>
      <p className="quiet small awaited">{t.loading}</p>
    </article>
  );
};
