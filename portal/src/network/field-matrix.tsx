import { Fragment, useState, type ReactNode } from 'react';
import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { FindField } from '../look/find-field.tsx';
import { FieldCounts } from './field-counts.tsx';

const shownFields = 200;
/** With more institutions than this, each field is counted. */
const maxColumns = 32;

/** Which institutions have which field, and under which name. */
export const FieldMatrix = ({ network }: { readonly network: NetworkState }) => {
  const { t, number } = useLocale();
  const [text, setText] = useState('');
  const found = network.fields.filter(({ path }) => path.toLowerCase().includes(text.toLowerCase()));
  const textOf = (state: string | undefined): string =>
    state === 'covered'
      ? t.has
      : state === 'conflict'
        ? t.hasConflict
        : state === 'missing'
          ? t.hasNot
          : t.isUnknown;
  const marks: Readonly<Record<string, string>> = { covered: '●', conflict: '◐', missing: '–' };
  return (
    <section className="stack">
      <h2>
        {t.fieldMatrix} <small>{number(found.length)}</small>
      </h2>
      <FindField label={t.findField} text={text} onText={setText} style={{ maxWidth: 360 }} />
      <div className="tablebox" tabIndex={0} role="region" aria-label={t.fieldMatrix}>
        {network.nodes.length > maxColumns ? (
          <FieldCounts fields={found.slice(0, shownFields)} />
        ) : (
          <table className="matrix">
            <thead>
              <tr>
                <th scope="col">{t.field}</th>
                {network.nodes.map(({ nodeId, name }) => (
                  <th key={nodeId} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.slice(0, shownFields).map(({ path, type, nodes }) => (
                <tr key={path}>
                  <th scope="row">
                    {breakable(path)} <small>{type}</small>
                  </th>
                  {network.nodes.map(({ nodeId }) => {
                    const node = nodes.find((each) => each.nodeId === nodeId);
                    return (
                      <td
                        key={nodeId}
                        title={node?.reason ?? undefined}
                        className={node?.state === 'covered' ? undefined : 'quiet'}
                      >
                        <span aria-hidden>{marks[node?.state ?? ''] ?? '?'}</span>{' '}
                        <span className="away">{textOf(node?.state)}</span>
                        {node?.path != null && node.path !== path ? <small>{node.path}</small> : null}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        )}
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
