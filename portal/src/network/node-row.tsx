import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { NodeState } from '../api/network-state.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { stateText } from '../look/honest.ts';
import { colouredNodes } from '../look/node-colours.ts';
import { WithheldMark } from '../look/withheld.tsx';
import { usePlace } from '../state/use-place.ts';
import { latencyOf, type Sighting } from './sighting.ts';

interface NodeRowProps {
  readonly node: NodeState;
  /** Its index in the network, which determines its colour. */
  readonly at: number;
  readonly seen: readonly Sighting[];
}

/** A node: its state, since when, and the observations of it. */
export const NodeRow = ({ node, at, seen }: NodeRowProps) => {
  const { t, number, time } = useLocale();
  const { view } = usePlace();
  const isGood = node.state === 'ok' || node.state === 'discovering';
  const latency = latencyOf(node);
  return (
    <tr>
      <th scope="row">
        <span
          className="dot"
          style={{ background: at < colouredNodes ? `var(--node-${at})` : 'var(--quiet)' }}
          aria-hidden
        />{' '}
        <PageLink page="network" view={{ ...view, node: node.nodeId }}>
          {node.name}
        </PageLink>
        {node.institutions !== undefined && <p className="small quiet">{t.behind(node.institutions)}</p>}
        {node.dialsIn && <p className="small quiet">{t.dialsIn}</p>}
      </th>
      <td className={isGood ? 'statecell' : 'statecell gone'}>
        {stateText(node.state, t)}
        {node.lastError !== null && !isGood && <p className="small">{node.lastError.reason}</p>}
        {node.waits !== undefined && (
          <p className="small">{t.waits(node.waits.fields, node.waits.values, time(node.waits.dialled))}</p>
        )}
        <WithheldMark disclosure={node.disclosure ?? null} />
        {node.warnings.map((warning) => (
          <p key={warning} className="small quiet">
            {warning}
          </p>
        ))}
      </td>
      <td data-head={t.since}>{node.since === null ? '' : <When at={node.since} />}</td>
      <td>
        <span
          className="timeline"
          role="img"
          aria-label={seen.map(({ at: when, state }) => `${time(when)} ${stateText(state, t)}`).at(-1) ?? ''}
        >
          {seen.map(({ at: when, state }) => (
            <span
              key={when}
              className={state === 'ok' ? 'good' : 'bad'}
              title={`${time(when)}: ${stateText(state, t)}`}
            />
          ))}
        </span>
      </td>
      <td data-head={t.latency}>
        {latency === null ? <span className="none">{t.never}</span> : `${number(Math.round(latency))} ms`}
        <Spark seen={seen} />
      </td>
      <td data-head={t.lastAnswer}>
        {node.lastAnswer === null ? <span className="none">{t.never}</span> : <When at={node.lastAnswer} />}
      </td>
      <td className="n" data-head={t.requests}>
        {number(node.requests)}
      </td>
      <td className="n" data-head={t.failures}>
        {number(node.failures)}
      </td>
    </tr>
  );
};

/** A time; if it is today, without the day. */
const When = ({ at }: { readonly at: string }) => {
  const { time, moment } = useLocale();
  return (
    <time dateTime={at} title={time(at)}>
      {moment(at)}
    </time>
  );
};

const Spark = ({ seen }: { readonly seen: readonly Sighting[] }) => {
  const known = seen.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]));
  if (known.length < 2) return null;
  const x = scaleLinear([0, known.length - 1], [2, 118]);
  const y = scaleLinear([0, Math.max(1, ...known)], [22, 2]);
  return (
    <svg className="spark" viewBox="0 0 120 24" aria-hidden>
      <path
        d={
          line<number>(
            (_, at) => x(at),
            (value) => y(value),
          )(known) ?? ''
        }
        fill="none"
        stroke="var(--accent)"
        strokeWidth={1.5}
      />
    </svg>
  );
};
