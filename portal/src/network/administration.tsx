import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { Heads } from '../look/heads.tsx';
import { stateText } from '../look/honest.ts';
import { FieldMatrix } from './field-matrix.tsx';

/** What only administrators need: counts of requests, errors, warnings, and the raw names and types of fields. */
export const Administration = ({ network }: { readonly network: NetworkState }) => {
  const { t, number, moment } = useLocale();
  const { nodes, warnings } = network;
  const heads = [t.institution, t.state, t.since, t.lastAnswer, t.requests, t.failures];
  return (
    <details>
      <summary>{t.forAdministrators}</summary>
      <div className="stack">
        <div className="tablebox" tabIndex={0} role="region" aria-label={t.forAdministrators}>
          <table>
            <Heads names={heads} />
            <tbody>
              {nodes.map((node) => (
                <tr key={node.nodeId}>
                  <th scope="row">
                    {node.name} <small>{node.nodeId}</small>
                  </th>
                  <td>
                    {stateText(node.state, t)}
                    {[...(node.lastError === null ? [] : [node.lastError.reason]), ...node.warnings].map(
                      (text) => (
                        <p key={text} className="small quiet">
                          {text}
                        </p>
                      ),
                    )}
                  </td>
                  <td>{node.since !== null && moment(node.since)}</td>
                  <td>{node.lastAnswer === null ? t.never : moment(node.lastAnswer)}</td>
                  <td>{number(node.requests)}</td>
                  <td>{number(node.failures)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
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
