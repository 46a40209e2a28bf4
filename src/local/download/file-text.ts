import type { JsonObject } from '../../json/json.ts';
import { documentRows } from './document-rows.ts';
import type { FilePlan } from './file-plan.ts';

/**
 * Text is yielded in chunks of about this many characters, and one of them is read ahead: longer ones, and those that
 * wait for others, outlive the young generation of the heap.
 */
export const partLength = 16_384;

/**
 * The text of a file, generated as it is read. The header comes with the first page, so that nothing is sent before
 * that arrives.
 * @param documentOf maps an item of a page to the document that the columns read
 * @param wrote called with each item and the number of its rows
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
