import { useState } from 'react';
import type { NodeState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { FindField } from '../look/find-field.tsx';
import { stateText } from '../look/honest.ts';
import { NodeRow } from './node-row.tsx';
import type { Sighting } from './sighting.ts';

/** Up to this many institutions, all are shown, without a search field. */
const few = 32;
/** How many more are shown with each step. */
const step = 50;

interface NodeTableProps {
  readonly nodes: readonly NodeState[];
  /** Nodes that are shown first. */
  readonly isInTrouble: (node: NodeState) => boolean;
  readonly seen: ReadonlyMap<string, readonly Sighting[]>;
}

/** Each institution, those with problems first; if there are many, only some, and those that match the search. */
export const NodeTable = ({ nodes, isInTrouble, seen }: NodeTableProps) => {
  const { t, number } = useLocale();
  const [text, setText] = useState('');
  const [shown, setShown] = useState(step);
  const isMany = nodes.length > few;
  const places = new Map(nodes.map((node, place) => [node.nodeId, place]));
  const found = isMany ? nodes.filter(holding(text)) : nodes;
  const sorted = [...found.filter(isInTrouble), ...found.filter((node) => !isInTrouble(node))];
  const counted = [t.requests, t.failures];
  const heads = [
    t.institution,
    t.state,
    t.since,
    t.timeline,
    t.latency,
    t.lastAnswer,
    t.requests,
    t.failures,
  ];
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
      <div className="tablebox nodes" tabIndex={0} role="region" aria-label={t.institutions}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" className={counted.includes(head) ? 'n' : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, isMany ? shown : undefined).map((node) => (
              <NodeRow
                key={node.nodeId}
                node={node}
                at={places.get(node.nodeId)!}
                seen={seen.get(node.nodeId) ?? []}
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
