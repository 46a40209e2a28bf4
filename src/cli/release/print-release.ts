import { escapeFormula } from '../../lib/text/escape-formula.ts';
import { labelAmong } from '../../capabilities/disclosure/cells/cell.ts';
import { stratumLabel, type Release, type Stratum } from '../../capabilities/disclosure/release/release.ts';
import {
  intervalOf,
  type Block,
  type DimensionCell,
} from '../../capabilities/disclosure/table/released-table.ts';

/** A count of a release, as it is printed. */
interface PrintedCell {
  readonly stratum: string;
  readonly date: string;
  /** Field and cell of each dimension; empty for all units. */
  readonly cells: readonly (readonly [string, string])[];
  readonly lower: number;
  readonly upper: number;
}

const most = 3;

/** Every cell of some releases as a row (RFC 4180). */
export const releasesAsCsv = (releases: readonly Release[]): string => {
  const header = [
    ...['catalogue', 'release', 'stratum', 'date'],
    ...Array.from({ length: most }, (_, index) => [`field_${index + 1}`, `value_${index + 1}`]).flat(),
    ...['at_least', 'at_most'],
  ];
  const rows = releases.flatMap((release) =>
    release.strata.flatMap((stratum) =>
      printedCells(stratum, release).map(({ stratum: name, date, cells, lower, upper }) => [
        ...[release.catalogueId, release.id, name, date],
        ...Array.from({ length: most }, (_, index) => cells[index] ?? ['', '']).flat(),
        ...[String(lower), String(upper)],
      ]),
    ),
  );
  return [header, ...rows].map((row) => row.map(quoted).join()).join('\r\n');
};

/** Quoted if needed; text that spreadsheets treat as a formula gets a leading apostrophe. */
const quoted = (text: string): string => {
  const safe = escapeFormula(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Every cell of some releases as an HTML page. */
export const releasesAsHtml = (releases: readonly Release[]): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Releases</title>
<style>body { font-family: sans-serif } td, th { padding: 0 1em 0 0; text-align: left }</style>
${releases.map(releaseAsHtml).join('\n')}
</html>`;

const releaseAsHtml = (release: Release): string => {
  const { catalogueId, id, date, threshold, unit, order } = release;
  return `<h1>${escaped(catalogueId)}, ${date}</h1>
<p>Release ${id}. Counted: ${escaped(unit)}, in steps of ${threshold}, by at most ${order} characteristics together.</p>
${release.strata.map((stratum) => stratumAsHtml(stratum, release)).join('\n')}`;
};

const stratumAsHtml = (stratum: Stratum, release: Release): string => {
  const waits =
    stratum.waits === undefined
      ? ''
      : `, except for the changes of ${stratum.waits} to ${stratum.waits + release.threshold - 1} units, which wait`;
  const rows = printedCells(stratum, release).map(
    ({ cells, lower, upper }) =>
      `<tr><td>${lower} to ${upper}<td>${cells.map(([field, value]) => `${escaped(field)}: ${escaped(value)}`).join('<td>') || 'all'}`,
  );
  return `<h2>Cells${escaped(stratumLabel(stratum, release))}, as of ${stratum.date}${waits}</h2>
<table>
${rows.join('\n')}
</table>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const printedCells = (stratum: Stratum, release: Release): readonly PrintedCell[] => {
  const { table, date, value } = stratum;
  const dates = new Set(release.fields.flatMap(({ kind, path }) => (kind === 'date' ? [path] : [])));
  const print = (level: number, cells: PrintedCell['cells']): PrintedCell => ({
    ...{ stratum: value ?? '', date, cells },
    ...intervalOf(level, table.threshold),
  });
  const blocks = [...table.blocks.values()].flatMap((block) =>
    Array.from(block.levels, (level, cell) => {
      const cells = positionsOf(cell, block).map((position, depth): readonly [string, string] => {
        const { fieldName, cells: own } = table.dimensions[block.dimensions[depth]!]!;
        return [fieldName, printedLabel(own, position, dates.has(fieldName))];
      });
      return print(level, cells);
    }),
  );
  return [print(table.total, []), ...blocks];
};

const positionsOf = (cell: number, { sizes }: Block): readonly number[] => {
  let rest = cell;
  return sizes
    .toReversed()
    .map((size) => {
      const position = rest % size;
      rest = Math.floor(rest / size);
      return position;
    })
    .toReversed();
};

/** Edges of a calendar are days. */
const printedLabel = (cells: readonly DimensionCell[], position: number, isDate: boolean): string => {
  const cell = cells[position]!;
  if (!isDate || cell.kind !== 'range') return labelAmong(cells, position);
  const [from, to] = [cell.from, cell.to].map((ms) =>
    ms === null ? '*' : new Date(ms).toISOString().slice(0, 10),
  );
  return `${from} to ${to}`;
};
