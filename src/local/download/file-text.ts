import type { JsonObject } from '../../json.ts';
import { documentRows } from './document-rows.ts';
import type { FilePlan } from './file-plan.ts';

/** Text is handed on in parts of about so many characters: longer ones outlive the short-lived part of the heap. */
const partLength = 16_384;

/**
 * A file, as it is read. The head goes with the first page, so that a file without one has not begun.
 * @param documentOf of what the pages hold, the document that the columns read
 * @param wrote told of each item how many rows it gave
 */
export const fileText = async function* <Item>(
  { format, columns, levels }: Pick<FilePlan, 'format' | 'columns' | 'levels'>,
  pages: AsyncIterable<readonly Item[]>,
  documentOf: (item: Item) => JsonObject,
  wrote?: (item: Item, rows: number) => void,
): AsyncGenerator<string> {
  let text = format.head(columns);
  for await (const items of pages) {
    for (const item of items) {
      const rows = documentRows(documentOf(item), levels);
      for (const row of rows) {
        text += format.line(columns, row);
        if (text.length < partLength) continue;
        yield text;
        text = '';
      }
      wrote?.(item, rows.length);
    }
    if (text !== '') yield text;
    text = '';
  }
  if (text !== '') yield text;
};
