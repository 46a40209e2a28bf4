import type { AuditFailure } from '../audit/audit.ts';
import { cellLabel } from '../cells/cell-label.ts';
import type { DimensionCell } from '../table/released-table.ts';
import type { Draft } from './make-release.ts';
import { stratumLabel, type Stratum } from './release.ts';

/** Why an audit failed, cell by cell, and which characteristics to make coarser; for the operator only. */
export const auditReasons = ({ audits, release }: Draft): readonly string[] =>
  audits.flatMap((report, index) => {
    if (report === null) return [];
    const { failures, required } = report;
    const stratum = release.strata[index]!;
    const where = stratumLabel(stratum, release);
    const dates = new Set(release.fields.flatMap(({ kind, path }) => (kind === 'date' ? [path] : [])));
    const reasons = failures.map(({ cell, feasible, knowing }) => {
      const names = cell.map((part) => {
        const { fieldName, cells } = stratum.table.dimensions[part.dimension]!;
        return `${fieldName} ${named(cells[part.cell]!, dates.has(fieldName))}`;
      });
      const who = knowing === 'zeros' ? 'somebody who knows the empty cells' : 'everyone';
      return `the audit failed: ${who} can tell that the hidden cell ${names.join(', ') || 'of all units'}${where} has one of ${feasible} values, at least ${required} are required`;
    });
    return failures.length === 0 ? [] : [...reasons, advice(failures, stratum)];
  });

/** Edges of a calendar are days. */
const named = (cell: DimensionCell, isDate: boolean): string => {
  if (!isDate || cell.kind !== 'range') return cellLabel(cell);
  const [from, to] = [cell.from, cell.to].map((ms) => ms !== null && new Date(ms).toISOString().slice(0, 10));
  return [...(from ? [`from ${from}`] : []), ...(to ? [`before ${to}`] : [])].join(' ');
};

const advice = (failures: readonly AuditFailure[], { table }: Stratum): string => {
  const found = new Map<string, number>();
  for (const { cell } of failures)
    for (const { dimension } of cell) {
      const { fieldName } = table.dimensions[dimension]!;
      found.set(fieldName, (found.get(fieldName) ?? 0) + 1);
    }
  const often = [...found]
    .sort((left, right) => right[1] - left[1])
    .map(([name, times]) => `${name} ${times}`);
  const order = table.order > 2 ? ', or "order": 2' : '';
  return `the fields of these ${failures.length} cells: ${often.join(', ') || 'none'}; wider edges or fewer values of the first ones${order} may pass`;
};
