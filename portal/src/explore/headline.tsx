import { Button } from 'react-aria-components';
import type { NodePart } from '../api/answer.ts';
import { useLocale } from '../i18n/locale.tsx';
import { countText, hasAnswered, lackedFields, stateText, wasQueried } from '../look/honest.ts';
import { WithheldMark } from '../look/withheld.tsx';
import { colouredNodes, colourOf } from '../look/node-colours.ts';
import type { Exploration } from './exploration.ts';

/** How many records, from whom, and who is missing and why. */
export const Headline = (exploration: Exploration & { readonly onRetry: () => void }) => {
  const { t, number } = useLocale();
  const { overview, isStale, catalogue } = exploration;
  if (overview === null) return <p className="quiet">{t.loading}</p>;
  const queried = overview.nodes.filter(wasQueried);
  const answered = queried.filter(hasAnswered);
  const counted = answered.filter(
    ({ nodeId, hits }) =>
      hits !== 0 || lackedFields(catalogue, exploration.view.filters ?? [], nodeId).length === 0,
  );
  const isNetwork = catalogue.source.kind === 'network';
  const grows = overview.nodes.some(({ state }) => state === 'pending');
  return (
    <div className={isStale ? 'head stale' : grows ? 'head grows' : 'head'}>
      <div aria-live="polite" aria-busy={isStale || grows}>
        <div className="number" data-testid="total">
          {overview.total === null ? '—' : countText({ ...overview, count: overview.total }, number, t)}
        </div>
        <p>
          {overview.total === null ? (
            <b>{queried.length === 0 ? t.askedNobody : t.fromNobody}</b>
          ) : (
            <>
              {t.records(overview.total)}{' '}
              {isNetwork &&
                (counted.length === overview.nodes.length ? (
                  t.fromAll(counted.length)
                ) : (
                  <b>{t.fromSome(counted.length, overview.nodes.length)}</b>
                ))}
            </>
          )}
        </p>
        {catalogue.isFiltered && <p className="small quiet">{t.filteredNote}</p>}
      </div>
      {isNetwork && <Who {...exploration} nodes={overview.nodes} />}
    </div>
  );
};

type WhoProps = Exploration & { readonly nodes: readonly NodePart[]; readonly onRetry: () => void };

const Who = ({ catalogue, nodes, view, change, onRetry }: WhoProps) => {
  const { t, number, list } = useLocale();
  const lacks = (nodeId: string): readonly string[] => lackedFields(catalogue, view.filters ?? [], nodeId);
  const parts = nodes.filter(hasAnswered).sort((one, other) => (other.hits ?? 0) - (one.hits ?? 0));
  const waiting = nodes.filter(({ state }) => state === 'pending');
  const silent = nodes.filter((node) => wasQueried(node) && !hasAnswered(node) && node.state !== 'pending');
  const notQueried = nodes.filter((node) => !wasQueried(node));
  const { nodes: _asked, ...anyone } = view;
  const reasonOf = ({ state }: NodePart): string => stateText(state, t);
  return (
    <div className="who">
      <div className="strip" aria-hidden>
        {parts.filter(hasRecords).map(({ nodeId, hits }) => (
          <span
            key={nodeId}
            style={{ flex: Math.max(hits ?? 0, 0.001), background: colourOf(catalogue, nodeId) }}
          />
        ))}
        {silent.map(({ nodeId }) => (
          <span key={nodeId} className="gone-fill" style={{ flex: goneShare(parts) }} />
        ))}
      </div>
      <ul className="key" aria-label={t.institutions}>
        {parts.slice(0, colouredNodes).map(({ nodeId, name, hits, upper, disclosure }) => (
          <li key={nodeId}>
            <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden />
            <Button
              className="bare"
              aria-label={t.askOnly(name)}
              onPress={() => change({ ...view, nodes: [nodeId] })}
            >
              {name}
            </Button>
            {lacks(nodeId).length > 0 && hits === 0 ? (
              <span className="none">{t.labelled(t.zero.notCovered, list(lacks(nodeId)))}</span>
            ) : (
              <span>{countText({ count: hits ?? 0, upper }, number, t)}</span>
            )}
            <WithheldMark disclosure={disclosure} />
          </li>
        ))}
        {parts.length > colouredNodes && <li className="quiet">+{parts.length - colouredNodes}</li>}
        {waiting.map(({ nodeId, name, tookMs }) => (
          <li key={nodeId} className="quiet" data-testid="pending">
            {t.labelled(name, t.states.pending)}, {number(Math.round((tookMs ?? 0) / 1000))} s
          </li>
        ))}
        {silent.map((node) => (
          <li key={node.nodeId} className="gone">
            {node.name} {t.didNotAnswer(reasonOf(node))}
            {node.tookMs !== null && node.tookMs > 0 ? ` (${number(node.tookMs / 1000)} s)` : ''}
          </li>
        ))}
        {notQueried.map(({ nodeId, name }) => (
          <li key={nodeId} className="quiet">
            {t.labelled(name, t.notAsked)}
          </li>
        ))}
        {silent.length > 0 && (
          <li>
            <Button className="bare" onPress={onRetry}>
              {t.askAgain}
            </Button>
          </li>
        )}
        {notQueried.length > 0 && (
          <li>
            <Button className="bare" onPress={() => change(anyone)}>
              {t.askAll}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
};

/** Who has none has no stretch of the strip, however narrow. */
const hasRecords = ({ hits, upper }: NodePart): boolean => (hits ?? 0) > 0 || upper > 0;

/** The size of the gap drawn for an institution whose part is unknown: a sixth of the others, or all. */
const goneShare = (parts: readonly NodePart[]): number =>
  parts.reduce((sum, { hits }) => sum + (hits ?? 0), 0) / 6 || 1;
