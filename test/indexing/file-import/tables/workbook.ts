import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive of these entries; `sizes` may lie about what an entry unpacks to. */
export const zipOf = (
  files: Readonly<Record<string, string | Buffer>>,
  sizes: Readonly<Record<string, number>> = {},
): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(sizes[path] ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, name]));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\u0005\u0006'), end]);
};

/** A cell's content: a Date is one of style 1, a date. */
export type Content = string | number | boolean | Date | null;

const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const cellXml = (content: Content, address: string): string => {
  if (content === null) return '';
  if (content instanceof Date)
    return `<c r="${address}" s="1"><v>${String(content.getTime() / 86_400_000 + 25_569)}</v></c>`;
  if (typeof content === 'number') return `<c r="${address}"><v>${String(content)}</v></c>`;
  if (typeof content === 'boolean') return `<c r="${address}" t="b"><v>${content ? '1' : '0'}</v></c>`;
  return `<c r="${address}" t="inlineStr"><is><t>${escaped(content)}</t></is></c>`;
};

const sheetXml = (rows: readonly (readonly Content[])[]): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (row, at) =>
        `<row r="${String(at + 1)}">${row.map((content, column) => cellXml(content, `${letters(column)}${String(at + 1)}`)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`;

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const partTypes = (sheets: number): string => {
  const kinds = {
    'workbook.xml': 'sheet.main',
    'styles.xml': 'styles',
    ...Object.fromEntries(
      Array.from({ length: sheets }, (_, at) => [`worksheets/sheet${String(at + 1)}.xml`, 'worksheet']),
    ),
  };
  return Object.entries(kinds)
    .map(
      ([part, kind]) =>
        `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`,
    )
    .join('');
};

/** The parts of a workbook with these sheets. */
export const workbookParts = (
  sheets: Readonly<Record<string, readonly (readonly Content[])[]>>,
): Record<string, string> => {
  const names = Object.keys(sheets);
  return {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${partTypes(names.length)}</Types>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><workbookPr/><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${String(at + 1)}" r:id="rId${String(at + 1)}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_name, at) => `<Relationship Id="rId${String(at + 1)}" Type="${relationships}/worksheet" Target="worksheets/sheet${String(at + 1)}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [`xl/worksheets/sheet${String(at + 1)}.xml`, sheetXml(rows)]),
    ),
  };
};
