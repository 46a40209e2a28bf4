/** The maximum lines of a quoted cell. */
export const maxQuotedLines = 20;

/** Whether quotes enclose cells or are text. */
export interface QuoteFinding {
  readonly quoted: boolean;
  /** The first line whose quotes decided it, from 0; null if every quoted cell is in order. */
  readonly misfit: number | null;
}

/**
 * Whether quotes enclose cells in tab-separated text: they do if each is at the edge of a cell, closed, and doubled
 * inside. Titles that begin with a quote and inches (`12"`) are text.
 * @param lines whole lines, beginning with a row
 * @param width cells of the header
 */
export const findQuoting = (lines: readonly string[], delimiter: string, width: number): QuoteFinding => {
  let misfit: number | null = null;
  let evident = false;
  for (let at = 0; at < lines.length; at += 1) {
    if (!lines[at]!.includes('"')) continue;
    const row = quotedRow(lines, at, delimiter, width);
    if (row.fits) evident ||= row.evident;
    else misfit ??= at;
    at = row.last;
  }
  return { quoted: misfit === null || evident, misfit };
};

interface QuotedRow {
  readonly fits: boolean;
  /** Whether reading without quotes would break the row. */
  readonly evident: boolean;
  readonly last: number;
}

const closed = /^\s*"(?:[^"]|"")*"\s*$/;

const quotedRow = (lines: readonly string[], first: number, delimiter: string, width: number): QuotedRow => {
  const parts = lines[first]!.split(delimiter);
  const misfit = { fits: false, evident: false, last: first };
  let evident = false;
  let last = first;
  for (let at = 0; at < parts.length; at += 1) {
    let cell = parts[at]!;
    if (!cell.includes('"')) continue;
    if (!cell.trimStart().startsWith('"')) return misfit;
    if (closed.test(cell)) {
      evident ||= cell.trim().slice(1, -1).includes('""');
      continue;
    }
    const end = parts.findIndex((_, to) => to > at && closed.test(parts.slice(at, to + 1).join(delimiter)));
    if (end > 0) {
      if (last === first && parts.length === width) return misfit;
      evident = true;
      at = end;
      continue;
    }
    if (at !== parts.length - 1) return misfit;
    // a cell of several lines contains no delimiter
    const next: readonly string[] | undefined = lines[last + 1]?.split(delimiter);
    if (next === undefined) return { fits: true, evident, last };
    if (last - first >= maxQuotedLines) return misfit;
    cell = `${cell}\n${next[0]!}`;
    if (next.length > 1 && !closed.test(cell)) return misfit;
    parts.splice(at, 1, cell, ...next.slice(1));
    last += 1;
    evident ||= closed.test(cell);
    at -= 1;
  }
  return { fits: true, evident, last };
};
