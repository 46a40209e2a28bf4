import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import type { NodePart } from '../../api/answer.ts';
import { totalQuery } from '../../api/queries.ts';
import { fold } from '../../../../src/lib/text/fold.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { ArrowList } from '../../look/arrow-list.tsx';
import { useRecords } from '../../look/counted.ts';
import { FindField } from '../../look/find-field.tsx';
import { hasAnswered, stateText, countText } from '../../look/honest.ts';
import { CheckIcon } from '../../look/icons.tsx';
import { colourOf, largest } from '../../look/node-colours.ts';
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
  const chosen = matching.filter(({ nodeId }) => ticked.has(nodeId));
  const others = matching.filter(({ nodeId }) => !ticked.has(nodeId));
  const listed = new Set([...chosen, ...largest(others, Math.max(0, shown - chosen.length))]);
  const most = Math.max(1, ...nodes.map(({ hits }) => hits ?? 0));
  const toggle = (nodeId: string): void =>
    edit((now) => {
      const before = now.nodes ?? [];
      const next = before.includes(nodeId) ? before.filter((one) => one !== nodeId) : [...before, nodeId];
      return withNodes(now, next.length === catalogue.nodes.length ? [] : next);
    });
  return (
    <section className="card facet" aria-label={t.institution}>
      <h3>
        {t.institution}
        <small>{records(2)}</small>
      </h3>
      {nodes.length > searchedFrom && <FindField label={t.findInstitution} text={text} onText={setText} />}
      <ArrowList role="group" aria-label={t.institution} items="input.tick">
        {matching
          .filter((node) => listed.has(node))
          .map((node) => {
            const count = { count: node.hits ?? 0, upper: node.upper };
            const isKnown = hasAnswered(node) && !node.lack.decides;
            return (
              <Tick
                key={node.nodeId}
                isTicked={ticked.has(node.nodeId)}
                mark={<CheckIcon />}
                onToggle={() => toggle(node.nodeId)}
              >
                <span className="text">
                  <bdi>{node.name}</bdi>
                </span>
                <em
                  title={
                    isKnown ? `${countText(count, number, t)} ${records(count.count)}` : whyUnknown(node, t)
                  }
                >
                  <bdi>{isKnown ? countText(count, number, t) : '—'}</bdi>
                </em>
                <span className="bar" aria-hidden>
                  <span
                    style={{
                      width: `${(100 * count.count) / most}%`,
                      background: colourOf(catalogue, node.nodeId),
                    }}
                  />
                </span>
              </Tick>
            );
          })}
      </ArrowList>
      {matching.length > listed.size && (
        <Button className="bare" onPress={() => setShown(shown + 50)}>
          {t.more(number(matching.length - listed.size))}
        </Button>
      )}
    </section>
  );
};

const whyUnknown = ({ state, lack }: NodePart, t: ReturnType<typeof useLocale>['t']): string =>
  lack.decides ? t.zero.notCovered : stateText(state, t);

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
