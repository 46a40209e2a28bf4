import type { NodePart } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { NodeState } from '../api/network-state.ts';
import { PageLink } from '../frame/page-link.tsx';
import { capital } from '../i18n/plural.ts';
import { useLocale } from '../i18n/locale.tsx';
import { countText, hasAnswered, stateText } from '../look/honest.ts';
import { colourOf } from '../look/node-colours.ts';
import { WithheldMark } from '../look/withheld.tsx';
import { usePlace } from '../state/use-place.ts';

interface NodeRowProps {
  readonly catalogue: Catalogue | undefined;
  readonly node: NodeState;
  /** Its part of all records; unset: not known. */
  readonly part: NodePart | undefined;
  /** The date of its newest record, as text; null: not known. */
  readonly newest: string | null;
  readonly newestHead: string;
}

/** An institution: its state, its records, and how it answers. */
export const NodeRow = ({ catalogue, node, part, newest, newestHead }: NodeRowProps) => {
  const { t, number, time } = useLocale();
  const { view } = usePlace();
  const { nodeId, name, about, state, waits } = node;
  const isKnown = part !== undefined && hasAnswered(part);
  return (
    <tr>
      <th scope="row">
        <span className="dot" style={{ background: catalogue && colourOf(catalogue, nodeId) }} aria-hidden />{' '}
        <PageLink page="network" view={{ ...view, node: nodeId }}>
          <bdi>{name}</bdi>
        </PageLink>
        {about?.place?.name !== undefined && <p className="small quiet">{about.place.name}</p>}
        {node.institutions !== undefined && <p className="small quiet">{t.behind(node.institutions)}</p>}
        {node.dialsIn && <p className="small quiet">{t.dialsIn}</p>}
      </th>
      <td className={isGood(node) ? 'statecell' : 'statecell gone'} data-head={t.state}>
        {capital(stateText(state, t))}
        {state === 'discoveryFailed' && <p className="small">{t.notConnectedHelp}</p>}
        {waits !== undefined && (
          <p className="small">{t.waits(waits.fields, waits.values, time(waits.dialled))}</p>
        )}
        <WithheldMark disclosure={node.disclosure ?? null} />
      </td>
      <td className="n" data-head={t.total}>
        {isKnown && (
          <>
            <PageLink page="explore" view={{ ...view, nodes: [nodeId] }}>
              <bdi>{countText({ count: part.hits ?? 0, upper: part.upper }, number, t)}</bdi>
            </PageLink>
            <LastUpdated part={part} />
          </>
        )}
      </td>
      <td data-head={newestHead}>{newest}</td>
      <td data-head={t.answers}>
        <Answers node={node} />
      </td>
    </tr>
  );
};

/** When its records were last updated; of an institution that withholds them, the date of its release. */
export const LastUpdated = ({ part: { lastUpdated, disclosure } }: { readonly part: NodePart }) => {
  const { t, day } = useLocale();
  const released = disclosure?.date && t.releaseOf(day(disclosure.date));
  const text = released ?? (lastUpdated && t.updated(day(Date.parse(lastUpdated))));
  return text && <p className="small quiet">{text}</p>;
};

/** Whether a node needs no attention. */
export const isGood = ({ state }: NodeState): boolean => state === 'ok' || state === 'discovering';

/** How fast and how reliably an institution has answered lately. */
const Answers = ({ node: { latencyMs, failures, requests } }: Pick<NodeRowProps, 'node'>) => {
  const { t, number, seconds } = useLocale();
  if (latencyMs === null) return <span className="none">{t.never}</span>;
  const { p50, calls, slowOfLast20: slow } = latencyMs;
  return (
    <>
      {slow > 0 ? t.slow(number(slow), number(Math.min(20, calls)), seconds(5_000)) : t.fast(seconds(p50))}
      {failures > 0 && <p className="small">{t.failedOf(number(failures), number(requests))}</p>}
    </>
  );
};
