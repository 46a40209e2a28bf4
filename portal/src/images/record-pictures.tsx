import type { Catalogue } from '../api/catalogue.ts';
import type { WholeRecord } from '../api/record.ts';
import { useLocale } from '../i18n/locale.tsx';
import { valuesOf } from '../record/record-values.ts';
import { picturesOf } from './images.ts';
import { Picture, useBroken } from './picture.tsx';

interface RecordPicturesProps {
  readonly catalogue: Catalogue;
  readonly record: WholeRecord;
  readonly title: string;
}

/** More are one click away. */
const pictured = 12;

/** The pictures of a record, the first one large. */
const RecordPictures = ({ catalogue, record, title }: RecordPicturesProps) => {
  const { t, number } = useLocale();
  const { isBroken, onBroken } = useBroken();
  const all = picturesOf(catalogue, (path) => valuesOf(record, path)).filter((address) => !isBroken(address));
  const [first, ...others] = all;
  if (first === undefined) return null;
  return (
    <section aria-label={t.gallery}>
      <ul className="gallery large">
        <li key={first}>
          <Picture address={first} alt={title} onBroken={onBroken} />
        </li>
      </ul>
      {others.length > 0 && (
        <ul className="gallery thumbs">
          {others.slice(0, pictured).map((address, at) => (
            <li key={address}>
              <Picture {...{ address, onBroken }} alt={`${title} (${number(at + 2)})`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

export default RecordPictures;
