import { Fragment, useState, type ReactNode } from 'react';
import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';
import { DataTable } from '../look/data-table.tsx';
import { FindField } from '../look/find-field.tsx';

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
