import type { NetworkState } from '../api/network-state.ts';
import { useLocale } from '../i18n/locale.tsx';

type Field = NetworkState['fields'][number];

/** How many institutions have which field: with very many, a column for each would be unreadable. */
export const FieldCounts = ({ fields }: { readonly fields: readonly Field[] }) => {
  const { t, number } = useLocale();
  const columns = [
    ['covered', t.has],
    ['conflict', t.hasConflict],
    ['missing', t.hasNot],
    ['unknown', t.isUnknown],
  ] as const;
  return (
    <table className="matrix">
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          {columns.map(([state, text]) => (
            <th key={state} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.path}>
            <th scope="row">
              {field.path} <small>{field.type}</small>
            </th>
            {columns.map(([state]) => (
              <td key={state} className="n">
                {number(field.counts?.[state] ?? field.nodes.filter((node) => node.state === state).length)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
