import { crc32, deflateSync } from 'node:zlib';

const chunk = (name: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

/** A picture in one colour. */
export const png = (width: number, height: number): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(200, 80, 40))]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))],
  ]);
};
