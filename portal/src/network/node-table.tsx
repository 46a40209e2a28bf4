import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Catalogue } from '../api/catalogue.ts';
import type { NodeState } from '../api/network-state.ts';
import { newestQuery, totalQuery } from '../api/queries.ts';
import { timePath } from '../explore/timeline-path.ts';
import { useLocale } from '../i18n/locale.tsx';
import { FindField } from '../look/find-field.tsx';
import { Heads } from '../look/heads.tsx';
import { hasAnswered, stateText } from '../look/honest.ts';
import { showValue } from '../look/show-value.ts';
import { everything } from '../start/start-question.ts';
import { isGood, NodeRow } from './node-row.tsx';

/** Up to this many institutions, all are shown, without a search field. */
const few = 32;
/** How many more are shown with each step. */
const step = 50;

interface NodeTableProps {
  readonly catalogue: Catalogue | undefined;
  readonly nodes: readonly NodeState[];
}

/** Each institution, those with problems first; if there are many, only some, and those that match the search. */
export const NodeTable = ({ catalogue, nodes }: NodeTableProps) => {
  const locale = useLocale();
  const { t, number } = locale;
  const [text, setText] = useState('');
  const [shown, setShown] = useState(step);
  const isMany = nodes.length > few;
  const found = isMany ? nodes.filter(holding(text)) : nodes;
  const sorted = [...found.filter((node) => !isGood(node)), ...found.filter(isGood)];
  const rows = sorted.slice(0, isMany ? shown : undefined);
  const { data: answer } = useQuery(totalQuery(catalogue, everything));
  const parts = new Map(answer?.nodes.map((part) => [part.nodeId, part]));
  const time = catalogue === undefined ? null : timePath(catalogue, catalogue.facets);
  const field = time === null ? undefined : catalogue?.fields.get(time);
  const dated = rows.map(({ nodeId }) => nodeId).filter((id) => parts.has(id) && hasAnswered(parts.get(id)!));
  const { data: newest } = useQuery(newestQuery(catalogue, dated.slice(0, few), time));
  const dateOf = (value: number | undefined): string | null =>
    value === undefined || field === undefined ? null : showValue(field, locale)(value);
  const newestHead = field === undefined ? '' : t.newestOf(field.name);
  const heads = [t.institution, t.state, t.total, newestHead, t.answers];
  return (
    <>
      {isMany && (
        <div className="stack">
          <StateCounts nodes={nodes} />
          <FindField
            label={t.findInstitution}
            text={text}
            onText={(text) => {
              setText(text);
              setShown(step);
            }}
            style={{ maxWidth: 360 }}
          />
        </div>
      )}
      <div className="tablebox nodes stacked" tabIndex={0} role="region" aria-label={t.institutions}>
        <table>
          <Heads names={heads} isNumber={(at) => heads[at] === t.total} />
          <tbody>
            {rows.map((node) => (
              <NodeRow
                key={node.nodeId}
                {...{ catalogue, node }}
                part={parts.get(node.nodeId)}
                newest={dateOf(newest?.get(node.nodeId))}
                newestHead={newestHead}
              />
            ))}
          </tbody>
        </table>
      </div>
      {isMany && sorted.length > shown && (
        <p>
          <button type="button" className="plain" onClick={() => setShown(shown + step)}>
            {t.more(number(sorted.length - shown))}
          </button>
        </p>
      )}
    </>
  );
};

/** Matches by name or id. */
const holding = (text: string): ((node: NodeState) => boolean) => {
  const wanted = text.trim().toLowerCase();
  return ({ nodeId, name }) => name.toLowerCase().includes(wanted) || nodeId.toLowerCase().includes(wanted);
};

/** How many nodes are in which state, most first. */
const StateCounts = ({ nodes }: Pick<NodeTableProps, 'nodes'>) => {
  const { t, number } = useLocale();
  const counts = new Map<string, number>();
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  const texts = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([state, count]) => `${number(count)} ${stateText(state, t)}`);
  return <p className="small">{texts.join(' · ')}</p>;
};
