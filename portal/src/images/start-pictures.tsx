import { useQuery } from '@tanstack/react-query';
import { MISSING } from '../../../src/sqon/ast.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { growing } from '../api/queries.ts';
import { fetchPage } from '../api/questions.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { recordKey, rowKey, type View } from '../state/view.ts';
import { firstText, imageFields, namingFields, pictureColumns, picturesOf } from './images.ts';
import { Picture, useBroken } from './picture.tsx';

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
        growing(context),
      ),
  });
  const { isBroken, onBroken } = useBroken();
  const naming = namingFields(catalogue);
  const tiles = (data?.rows ?? []).flatMap((row) => {
    const [address] = picturesOf(catalogue, (path) => row.values[path]);
    return address === undefined || isBroken(address) ? [] : [{ row, address }];
  });
  if (data === undefined) return <div className="thumbs awaited" />;
  return tiles.length === 0 ? null : (
    <section aria-label={t.gallery}>
      <ul className="gallery thumbs">
        {tiles.map(({ row, address }) => {
          const title = firstText(row, naming.title) ?? t.recordTitle(row.id);
          return (
            <li key={rowKey(row)}>
              <PageLink page="record" view={{ ...view, record: recordKey(row) }} title={title}>
                <Picture {...{ address, onBroken }} alt={title} />
                <span className="clip" aria-hidden>
                  {title}
                </span>
              </PageLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

export default StartPictures;
