import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { isGrowing, type NodePart } from '../api/answer.ts';
import { useLocale } from '../i18n/locale.tsx';
import type { Lack } from '../api/lack.ts';
import { useRecords } from '../look/counted.ts';
import {
  countedWithout,
  countText,
  hasAnswered,
  isIncomplete,
  stateText,
  wasQueried,
} from '../look/honest.ts';
import { WithheldMark } from '../look/withheld.tsx';
import { colouredNodes, colourOf, largest } from '../look/node-colours.ts';
import type { Exploration } from './exploration.ts';

/** The number of records, the institutions, and those missing with the reason. */
export const Headline = (exploration: Exploration & { readonly onRetry: () => void }) => {
  const { t, number, list } = useLocale();
  const { overview, isStale, catalogue } = exploration;
  const records = useRecords(catalogue);
  if (overview === null) return <p className="head quiet">{t.loading}</p>;
  const queried = overview.nodes.filter(wasQueried);
  const answered = queried.filter(hasAnswered);
  const whole = answered.filter((node) => !node.lack.decides && !isIncomplete(node));
  const isNetwork = catalogue.source.kind === 'network';
  const without = countedWithout(overview);
  const grows = isGrowing(overview);
  const isAwaited = grows && answered.length === 0;
  return (
    <div className={isStale ? 'head stale' : grows ? 'head grows' : 'head'}>
      <div aria-live="polite" aria-busy={isStale || grows}>
        <div className="number" data-testid="total">
          {isAwaited
            ? '…'
            : overview.total === null
              ? '—'
              : countText({ ...overview, count: overview.total }, number, t)}
        </div>
        <p>
          {isAwaited ? (
            t.loading
          ) : overview.total === null ? (
            <b>{queried.length === 0 ? t.askedNobody : t.fromNobody}</b>
          ) : (
            <>
              {records(overview.total)}{' '}
              {isNetwork &&
                (whole.length < overview.nodes.length ? (
                  <b>{t.fromSome(whole.length, overview.nodes.length)}</b>
                ) : without.length > 0 ? (
                  <b>{t.fromAllBut(whole.length, list(without))}</b>
                ) : (
                  t.fromAll(whole.length)
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
  const { t, number } = useLocale();
  const parts = nodes.filter(hasAnswered);
  const waiting = nodes.filter(({ state }) => state === 'pending');
  const silent = nodes.filter((node) => wasQueried(node) && !hasAnswered(node) && node.state !== 'pending');
  const notQueried = nodes.filter((node) => !wasQueried(node));
  const { nodes: _selected, ...anyone } = view;
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
        {largest(parts, colouredNodes).map((node) => {
          const { nodeId, name, hits, upper, disclosure } = node;
          return (
            <li key={nodeId}>
              <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden />
              <Button
                className="bare"
                aria-label={t.askOnly(name)}
                onPress={() => change({ ...view, nodes: [nodeId] })}
              >
                <bdi>{name}</bdi>
              </Button>
              <Part
                {...{ catalogue }}
                lack={node.lack}
                count={countText({ count: hits ?? 0, upper }, number, t)}
              />
              {isIncomplete(node) && (
                <span className="none" title={node.errors}>
                  {t.zero.incomplete}
                </span>
              )}
              <WithheldMark disclosure={disclosure} />
            </li>
          );
        })}
        {parts.length > colouredNodes && <li className="quiet">+{parts.length - colouredNodes}</li>}
        {waiting.map(({ nodeId, name }) => (
          <li key={nodeId} className="quiet" data-testid="pending">
            {t.labelled(name, t.states.pending)}
            <Waited />
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
            {t.labelled(name, t.states.excluded)}
          </li>
        ))}
        {silent.some(mayAnswer) && (
          <li>
            <Button className="bare" onPress={onRetry}>
              {t.tryAgain}
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

/** The count of an institution, and which fields of the filter it does not have; without a count these are irrelevant. */
const Part = ({
  catalogue,
  lack,
  count,
}: Pick<WhoProps, 'catalogue'> & { readonly lack: Lack; readonly count: string }) => {
  const { t, list } = useLocale();
  const names = lack.paths.map((path) => catalogue.fields.get(path)?.name ?? path);
  const why = names.length === 0 ? null : t.labelled(t.zero.notCovered, list(names));
  return (
    <>
      {!lack.decides && <bdi>{count}</bdi>}
      {why !== null && <span className="none">{why}</span>}
    </>
  );
};

/** Asking again helps, other than where an administrator must act first. */
const mayAnswer = ({ state }: NodePart): boolean => state !== 'discoveryFailed' && state !== 'invited';

/** How long an institution has been waited for, from the first second on. */
const Waited = () => {
  const { number } = useLocale();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds === 0 ? null : <>, {number(seconds)} s</>;
};

/** An institution without records has no segment in the strip, however narrow. */
const hasRecords = ({ hits, upper }: NodePart): boolean => (hits ?? 0) > 0 || upper > 0;

/** The size of the gap for institutions with unknown parts: a sixth of the others, or all of the strip. */
const goneShare = (parts: readonly NodePart[]): number =>
  parts.reduce((sum, { hits }) => sum + (hits ?? 0), 0) / 6 || 1;
