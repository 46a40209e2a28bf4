import { isYear } from '../../api/fields.ts';
import type { Row } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { useLocale } from '../../i18n/locale.tsx';

interface CellValueProps {
  readonly catalogue: Catalogue;
  readonly row: Row;
  readonly path: string;
}

/** A value as people read it: several of them as tags, none of them with the reason. */
export const CellValue = ({ catalogue, row, path }: CellValueProps) => {
  const { t } = useLocale();
  const field = catalogue.fields.get(path);
  const value = row.values[path];
  const isCovered = row.nodeId === null || field?.nodes == null || field.nodes.includes(row.nodeId);
  if (!isCovered) return <span className="none">{t.zero.notCovered}</span>;
  const values = [value].flat().filter((each) => each !== null && each !== undefined && each !== '');
  if (values.length === 0) return <span className="none">{t.zero.empty}</span>;
  if (values.length === 1)
    return (
      <Scalar
        value={values[0]}
        kind={isYear(path) ? 'year' : (field?.kind ?? 'other')}
        unit={field?.unit ?? null}
      />
    );
  return (
    <>
      {tally(values).map(([each, times]) => (
        <span key={each} className="tag">
          {each}
          {times > 1 ? ` ×${times}` : ''}
        </span>
      ))}
    </>
  );
};

const Scalar = ({
  value,
  kind,
  unit,
}: {
  readonly value: unknown;
  readonly kind: string;
  readonly unit: string | null;
}) => {
  const { number, day, bytes } = useLocale();
  if (kind === 'year') return <>{String(value)}</>;
  if (kind === 'dates' && (typeof value === 'string' || typeof value === 'number')) return <>{day(value)}</>;
  if (typeof value === 'number') return <>{unit === 'bytes' ? bytes(value) : number(value)}</>;
  return <>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</>;
};

/** The values of a list, each once, with how often it occurs. */
const tally = (values: readonly unknown[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts];
};
