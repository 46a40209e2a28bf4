import type { Catalogue } from '../api/catalogue.ts';
import type { WholeRecord } from '../api/record.ts';
import { useLocale } from '../i18n/locale.tsx';
import { valuesOf } from '../record/record-values.ts';
import type { RecordKey } from '../state/view.ts';
import { namingFields, picturesOf, type PictureAt } from './images.ts';
import { Picture } from './picture.tsx';

interface RecordPicturesProps {
  readonly catalogue: Catalogue;
  readonly id: RecordKey;
  readonly record: WholeRecord;
  readonly title: string;
}

/** More are one click away. */
const pictured = 12;

/** The pictures of a record, the first one large; for a picture that cannot be shown, the reason. */
const RecordPictures = ({ catalogue, id, record, title }: RecordPicturesProps) => {
  const { t, number } = useLocale();
  const all = picturesOf(catalogue, id, (path) => valuesOf(record, path));
  const [first, ...others] = all;
  if (first === undefined) return null;
  const { kind } = namingFields(catalogue);
  const what = kind === null ? null : String(valuesOf(record, kind).find((one) => one !== '') ?? title);
  const picture = ({ path }: PictureAt, at: number) => (
    <li key={path}>
      <Picture
        path={path}
        alt={at === 0 ? title : `${title} (${number(at + 1)})`}
        kind={what}
        instead={(reason) => (
          <details className="small quiet">
            <summary>{t.noPicture}</summary>
            {reason}
          </details>
        )}
      />
    </li>
  );
  return (
    <section aria-label={t.gallery}>
      <ul className="gallery large">{picture(first, 0)}</ul>
      {others.length > 0 && (
        <ul className="gallery thumbs">{others.slice(0, pictured).map((one, at) => picture(one, at + 1))}</ul>
      )}
    </section>
  );
};

export default RecordPictures;
