import type { Bucket, NodeCount } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Unit } from '../api/units.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useCounted } from '../look/counted.ts';
import { countText } from '../look/honest.ts';
import { colourOf, nameOf } from '../look/node-colours.ts';

interface MarkCardProps {
  readonly catalogue: Catalogue;
  /** What is counted. */
  readonly unit: Unit;
  readonly title: string;
  readonly count: Pick<Bucket, 'count' | 'upper' | 'estimate'>;
  /** How many records the share refers to; null: not known. */
  readonly of: number | null;
  readonly nodes: readonly NodeCount[] | null;
  /** The label of its action; unset: none. */
  readonly action?: string | undefined;
}

const nodesShown = 8;

/** The description of a chart's mark: its value, the number of records with bounds, their share, and the institutions. */
export const MarkCard = ({ catalogue, unit, title, count, of, nodes, action }: MarkCardProps) => {
  const { t, number, percent } = useLocale();
  const counted = useCounted(catalogue);
  const share = (part: number): string => percent(Math.min(1, part / of!));
  const isRange = count.upper > count.count && count.upper < Infinity;
  return (
    <>
      <b>
        <bdi>{title}</bdi>
      </b>
      <span>
        {countText(count, number, t)} {counted(unit, count.count)}
        {of !== null && of > 0 && (
          <span className="quiet">
            {' · '}
            {isRange ? t.atLeast(share(count.count), share(count.upper)) : share(count.count)}
          </span>
        )}
      </span>
      {catalogue.source.kind === 'network' &&
        nodes?.slice(0, nodesShown).map(({ nodeId, count: own }) => (
          <span key={nodeId} className="row">
            <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden />
            {t.labelled(nameOf(catalogue, nodeId), number(own))}
          </span>
        ))}
      {(nodes?.length ?? 0) > nodesShown && <span className="quiet">+{nodes!.length - nodesShown}</span>}
      {action !== undefined && <span className="quiet">{action}</span>}
    </>
  );
};
