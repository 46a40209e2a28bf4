import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { DataTable } from '../look/data-table.tsx';
import { stateText } from '../look/honest.ts';
import { FieldMatrix } from './field-matrix.tsx';

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
