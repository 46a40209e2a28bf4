import { useQuery } from '@tanstack/react-query';
import { MISSING } from '../../../src/sqon/ast.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { into } from '../api/queries.ts';
import { fetchPage } from '../api/questions.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import type { View } from '../state/view.ts';
import { firstText, imageFields, namingFields, pictureColumns, picturesOf } from './images.ts';
import { Picture } from './picture.tsx';

const shown = 8;

/** A row of pictures that link to their records; those that cannot be shown are left out. */
const StartPictures = ({ catalogue, view }: { readonly catalogue: Catalogue; readonly view: View }) => {
  const { t } = useLocale();
  const content = imageFields(catalogue).map(({ path }) => ({
    op: 'not-in' as const,
    content: { fieldName: path, value: [MISSING] },
  }));
  const { data } = useQuery({
    queryKey: ['pictures', catalogue.source.id],
    queryFn: (context) =>
      fetchPage(
        catalogue,
        { filter: { op: 'or', content }, nodes: null },
        { columns: pictureColumns(catalogue), sort: [], after: null, size: shown },
        context.signal,
        into(context),
      ),
  });
  const naming = namingFields(catalogue);
  const rows = data?.rows ?? [];
  return rows.length === 0 ? null : (
    <section aria-label={t.gallery}>
      <ul className="gallery thumbs">
        {rows.map((row) => {
          const { id, nodeId, values } = row;
          const title = firstText(row, naming.title) ?? t.recordTitle(id);
          return (
            <li key={`${nodeId ?? ''}/${id}`}>
              <PageLink page="record" view={{ ...view, record: { id, nodeId } }} title={title}>
                <Picture
                  path={picturesOf(catalogue, row, (path) => values[path])[0]?.path}
                  alt={title}
                  kind={null}
                  instead={() => null}
                />
              </PageLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

export default StartPictures;
