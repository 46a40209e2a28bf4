import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import type { NodePart } from '../../api/answer.ts';
import { totalQuery } from '../../api/queries.ts';
import { fold } from '../../../../src/text/fold.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { ArrowList } from '../../look/arrow-list.tsx';
import { useRecords } from '../../look/counted.ts';
import { FindField } from '../../look/find-field.tsx';
import { hasAnswered, stateText, countText, shortCountText } from '../../look/honest.ts';
import { CheckIcon } from '../../look/icons.tsx';
import { colourOf } from '../../look/node-colours.ts';
import { Tick } from '../../look/tick.tsx';
import { withNodes } from '../../state/edit.ts';
import type { Exploration } from '../exploration.ts';

const firstShown = 6;
const searchedFrom = 8;

/** The institutions to query, as checkboxes: none selected means all. */
export const InstitutionsFacet = (exploration: Exploration) => {
  const { t, number } = useLocale();
  const { catalogue, view, edit } = exploration;
  const [text, setText] = useState('');
  const [shown, setShown] = useState(firstShown);
  const records = useRecords(catalogue);
  const nodes = useParts(exploration);
  const ticked = new Set(view.nodes ?? []);
  const matching = nodes.filter(({ name }) => fold(name).includes(fold(text)));
  const sorted = [...matching].sort((one, other) => rank(other, ticked) - rank(one, ticked));
  const largest = Math.max(1, ...nodes.map(({ hits }) => hits ?? 0));
  const toggle = (nodeId: string): void =>
    edit((now) => {
      const before = now.nodes ?? [];
      const next = before.includes(nodeId) ? before.filter((one) => one !== nodeId) : [...before, nodeId];
      return withNodes(now, next.length === catalogue.nodes.length ? [] : next);
    });
  return (
    <section className="card whose" aria-label={t.institution}>
      <h3>
        {t.institution}
        <small>{records(2)}</small>
      </h3>
      {nodes.length > searchedFrom && <FindField label={t.findInstitution} text={text} onText={setText} />}
      <ArrowList role="group" aria-label={t.institution} items="input.tick">
        {sorted.slice(0, shown).map((node) => {
          const count = { count: node.hits ?? 0, upper: node.upper };
          const isKnown = hasAnswered(node) && !node.lack.decides;
          return (
            <Tick
              key={node.nodeId}
              isTicked={ticked.has(node.nodeId)}
              mark={<CheckIcon />}
              onToggle={() => toggle(node.nodeId)}
            >
              <span className="text">{node.name}</span>
              <em
                title={
                  isKnown ? `${countText(count, number, t)} ${records(count.count)}` : whyUnknown(node, t)
                }
              >
                {isKnown ? shortCountText(count, number, t) : '—'}
              </em>
              <span className="bar" aria-hidden>
                <span
                  style={{
                    width: `${(100 * count.count) / largest}%`,
                    background: colourOf(catalogue, node.nodeId),
                  }}
                />
              </span>
            </Tick>
          );
        })}
      </ArrowList>
      {sorted.length > shown && (
        <Button className="bare" onPress={() => setShown(shown + 50)}>
          {t.more(number(sorted.length - shown))}
        </Button>
      )}
    </section>
  );
};

const whyUnknown = ({ state, lack }: NodePart, t: ReturnType<typeof useLocale>['t']): string =>
  lack.decides ? t.zero.notCovered : stateText(state, t);

/** Selected ones stay visible, then ordered by count. */
const rank = ({ nodeId, hits }: NodePart, ticked: ReadonlySet<string>): number =>
  (hits ?? -1) + (ticked.has(nodeId) ? 1e15 : 0);

/** The part of each institution, including those that are not queried: its own selection does not restrict a facet. */
const useParts = ({ catalogue, question, overview, view }: Exploration): readonly NodePart[] => {
  const everybody = useMemo(() => ({ ...question, nodes: null }), [question]);
  const { data } = useQuery({
    ...totalQuery(catalogue, everybody),
    enabled: view.nodes !== undefined,
    placeholderData: keepPreviousData,
  });
  return (view.nodes === undefined ? overview : (data ?? overview))?.nodes ?? [];
};
