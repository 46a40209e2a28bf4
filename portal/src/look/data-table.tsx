import type { ReactNode } from 'react';
import { Heads } from './heads.tsx';

interface DataTableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell of each names its row. */
  readonly rows: readonly (readonly ReactNode[])[];
  /** Whether a column has numbers, by its place; unset: none has. */
  readonly isNumber?: (at: number) => boolean;
  readonly className?: string;
}

/** A table that scrolls by itself, also by keys. */
export const DataTable = ({ label, head, rows, isNumber, className = '' }: DataTableProps) => (
  <div className={`tablebox ${className}`} tabIndex={0} role="region" aria-label={label}>
    <table>
      <Heads names={head} {...(isNumber && { isNumber })} />
      <tbody>
        {rows.map((row, index) => (
          // values may have equal texts
          <tr key={index}>
            {row.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={at} data-head={head[at]} className={isNumber?.(at) === true ? 'n' : undefined}>
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
