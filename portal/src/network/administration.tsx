import { Fragment, useState, type ReactNode } from 'react';
import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { DataTable } from '../look/data-table.tsx';
import { FindField } from '../look/find-field.tsx';
import { stateText } from '../look/honest.ts';

/** What only administrators need: counts of requests, errors, warnings, and the raw names and types of fields. */
export const Administration = ({ network }: { readonly network: NetworkState }) => {
  const { t, number, moment } = useLocale();
  const { nodes, warnings } = network;
  return (
    <details>
      <summary>{t.forAdministrators}</summary>
      <div className="stack">
        <DataTable
          label={t.forAdministrators}
          head={[t.institution, t.state, t.since, t.lastAnswer, t.requests, t.failures]}
          rows={nodes.map((node) => [
            <>
              {node.name} <small>{node.nodeId}</small>
            </>,
            <>
              {stateText(node.state, t)}
              {[...(node.lastError === null ? [] : [node.lastError.reason]), ...node.warnings].map((text) => (
                <p key={text} className="small quiet">
                  {text}
                </p>
              ))}
            </>,
            node.since !== null && moment(node.since),
            node.lastAnswer === null ? t.never : moment(node.lastAnswer),
            number(node.requests),
            number(node.failures),
          ])}
        />
        {warnings.length > 0 && (
          <section className="stack">
            <h2>{t.warnings}</h2>
            <ul className="note warn">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </section>
        )}
        <FieldMatrix network={network} />
      </div>
    </details>
  );
};

const shownFields = 200;
const states = ['covered', 'conflict', 'missing', 'unknown'] as const;

/** The raw names and types of fields, how many institutions have each, and the names that they have for it themselves. */
const FieldMatrix = ({ network }: { readonly network: NetworkState }) => {
  const { t, number } = useLocale();
  const [text, setText] = useState('');
  const found = network.fields.filter(({ path }) => path.toLowerCase().includes(text.toLowerCase()));
  return (
    <section className="stack">
      <h2>
        {t.fieldMatrix} <small>{number(found.length)}</small>
      </h2>
      <FindField label={t.findField} text={text} onText={setText} style={{ maxWidth: 360 }} />
      <DataTable
        className="matrix"
        label={t.fieldMatrix}
        head={[t.field, t.has, t.hasConflict, t.zero.notCovered, t.isUnknown, t.ownField]}
        isNumber={(at) => at > 0 && at <= states.length}
        rows={found.slice(0, shownFields).map(({ path, type, nodes, counts }) => [
          <>
            {breakable(path)} <small>{type}</small>
          </>,
          ...states.map((state) =>
            number(counts?.[state] ?? nodes.filter((node) => node.state === state).length),
          ),
          <span className="small quiet">
            {nodes
              .filter((node) => node.path !== null && node.path !== path)
              .map((node) => t.labelled(node.nodeId, node.path!))
              .join(', ')}
          </span>,
        ])}
      />
    </section>
  );
};

/** A name that may only be broken at its dots and underscores. */
const breakable = (path: string): ReactNode =>
  path.split(/(?<=[._])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
