import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { termQuery } from '../../api/terms.ts';
import { isYear, type Field } from '../../api/fields.ts';
import type { Row } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { firstText, linkOf, namingFields, pictureAt } from '../../images/images.ts';
import { Picture, useBroken } from '../../images/picture.tsx';
import { piecesOf } from '../../look/pieces.ts';
import { showValue } from '../../look/show-value.ts';
import { ownTextOf, valueText } from '../../look/value-text.ts';

interface CellValueProps {
  readonly catalogue: Catalogue;
  readonly row: Row;
  readonly path: string;
  /** The texts shown instead of values; unset: as for the field. */
  readonly displayValues?: Field['displayValues'];
  /** The search words to highlight. */
  readonly search?: string;
  /** It is already inside a link. */
  readonly isLinked?: boolean;
}

/** A value for display: several values as tags, a missing value with the reason. */
export const CellValue = ({
  catalogue,
  row,
  path,
  displayValues,
  search = '',
  isLinked = false,
}: CellValueProps) => {
  const { t } = useLocale();
  const field = catalogue.fields.get(path);
  const value = row.values[path];
  const isCovered = row.nodeId === null || field?.nodes == null || field.nodes.includes(row.nodeId);
  if (!isCovered) return <span className="none">{t.zero.notCovered}</span>;
  const values = [value].flat().filter((each) => each !== null && each !== undefined);
  if (values.length === 0) return <span className="none">{t.noValue}</span>;
  const texts = displayValues ?? field?.displayValues;
  const scalar = (each: unknown) => {
    const shown = <Scalar value={each} {...{ catalogue, field, texts, search }} isOfYear={isYear(path)} />;
    const href = isLinked ? null : linkOf(field, each);
    return href === null ? (
      shown
    ) : (
      <Link href={href} target="_blank" rel="noopener noreferrer">
        {shown}
      </Link>
    );
  };
  const all = values.length === 1 ? <bdi>{scalar(values[0])}</bdi> : <Tags {...{ values, scalar }} />;
  const [address] = values.flatMap((each) => pictureAt(catalogue, field, each) ?? []);
  if (address === undefined) return all;
  const alt = firstText(row, namingFields(catalogue).title) ?? field!.name;
  return <Thumb {...{ address, alt }} instead={all} />;
};

interface ThumbProps {
  readonly address: string;
  readonly alt: string;
  /** What is shown of the values if the picture is broken. */
  readonly instead: React.ReactNode;
}

const Thumb = ({ address, alt, instead }: ThumbProps) => {
  const { isBroken, onBroken } = useBroken();
  return isBroken(address) ? (
    instead
  ) : (
    <span className="thumb">
      <Picture {...{ address, alt, onBroken }} />
    </span>
  );
};

interface TagsProps {
  readonly values: readonly unknown[];
  readonly scalar: (value: unknown) => React.ReactNode;
}

const Tags = ({ values, scalar }: TagsProps) => (
  <>
    {tally(values).map(({ text, value: each, times }) => (
      <span key={text} className="tag">
        <bdi>{scalar(each)}</bdi>
        {times > 1 ? ` ×${times}` : ''}
      </span>
    ))}
  </>
);

interface ScalarProps {
  readonly catalogue: Catalogue;
  readonly value: unknown;
  readonly field: Field | undefined;
  readonly texts: Field['displayValues'] | undefined;
  readonly isOfYear: boolean;
  readonly search: string;
}

const Scalar = ({ catalogue, value, field, texts, isOfYear, search }: ScalarProps) => {
  const locale = useLocale();
  const { t, day } = locale;
  const shown = ownTextOf(texts, String(value));
  if (shown !== null) return <Marked text={shown} search={search} />;
  if (typeof value === 'object') return <>{JSON.stringify(value)}</>;
  // display values list the labels of small hierarchies
  if (field?.hierarchy !== undefined && Object.keys(field.displayValues).length === 0)
    return <TermLabel {...{ catalogue, field, search }} id={String(value)} />;
  const isDate = field?.kind === 'dates';
  if (isDate && (typeof value === 'string' || typeof value === 'number')) return <>{day(value)}</>;
  if (typeof value === 'number' && !isOfYear && field?.type !== 'boolean')
    return <>{field === undefined ? locale.number(value) : showValue(field, locale)(value)}</>;
  return <Marked text={valueText({ key: String(value) }, field, t)} search={search} />;
};

interface TermLabelProps extends Pick<ScalarProps, 'catalogue' | 'search'> {
  readonly field: Field;
  readonly id: string;
}

/** The label of a term, once it has been looked up. */
const TermLabel = ({ catalogue, field, id, search }: TermLabelProps) => {
  const { data } = useQuery(termQuery(catalogue, field, id));
  return <Marked text={data?.label ?? id} search={search} />;
};

interface Tallied {
  readonly text: string;
  readonly value: unknown;
  readonly times: number;
}

/** The distinct values of a list, each with its number of occurrences. */
const tally = (values: readonly unknown[]): readonly Tallied[] => {
  const counts = new Map<string, Tallied>();
  for (const value of values) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    counts.set(text, { text, value, times: (counts.get(text)?.times ?? 0) + 1 });
  }
  return [...counts.values()];
};

/** A text with the search words highlighted. */
const Marked = ({ text, search }: { readonly text: string; readonly search: string }) =>
  search === ''
    ? text
    : piecesOf(text, search).map(({ text: piece, isHit }, at) =>
        isHit ? <mark key={at}>{piece}</mark> : piece,
      );
