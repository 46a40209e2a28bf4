import { Fragment, useState, type ReactNode } from 'react';
import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { FindField } from '../look/find-field.tsx';
import { Heads } from '../look/heads.tsx';

const shownFields = 200;
const states = ['covered', 'conflict', 'missing', 'unknown'] as const;

/** The raw names and types of fields, how many institutions have each, and the names that they have for it themselves. */
export const FieldMatrix = ({ network }: { readonly network: NetworkState }) => {
  const { t, number } = useLocale();
  const [text, setText] = useState('');
  const found = network.fields.filter(({ path }) => path.toLowerCase().includes(text.toLowerCase()));
  return (
    <section className="stack">
      <h2>
        {t.fieldMatrix} <small>{number(found.length)}</small>
      </h2>
      <FindField label={t.findField} text={text} onText={setText} style={{ maxWidth: 360 }} />
      <div className="tablebox" tabIndex={0} role="region" aria-label={t.fieldMatrix}>
        <table className="matrix">
          <Heads names={[t.field, t.has, t.hasConflict, t.hasNot, t.isUnknown, t.ownField]} />
          <tbody>
            {found.slice(0, shownFields).map(({ path, type, nodes, counts }) => (
              <tr key={path}>
                <th scope="row">
                  {breakable(path)} <small>{type}</small>
                </th>
                {states.map((state) => (
                  <td key={state} className="n">
                    {number(counts?.[state] ?? nodes.filter((node) => node.state === state).length)}
                  </td>
                ))}
                <td className="small quiet">
                  {nodes
                    .filter((node) => node.path !== null && node.path !== path)
                    .map((node) => t.labelled(node.nodeId, node.path!))
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
