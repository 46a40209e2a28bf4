/** The media types that are served: each can be shown by an `img` element, and none contains code. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

/** The properties of a picture, from its bytes. */
export interface ImageForm {
  readonly type: ImageType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The format of a picture by its bytes, regardless of its name or headers; null: not a picture, or not all of it. */
export const imageForm = (bytes: Buffer): ImageForm | null => {
  const form = pngForm(bytes) ?? webpForm(bytes) ?? jpegForm(bytes);
  return form !== null && form.width > 0 && form.height > 0 ? form : null;
};

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG (W3C), 5.2, 11.2.1 and 11.2.5: the header is the first chunk, the last one is empty. */
const pngForm = (bytes: Buffer): ImageForm | null => {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(pngStart) || textAt(bytes, 12) !== 'IHDR')
    return null;
  if (bytes.lastIndexOf('IEND') < 33) return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

/** RFC 9649: a RIFF file whose first chunk is lossy (VP8), lossless (VP8L) or extended (VP8X). */
const webpForm = (bytes: Buffer): ImageForm | null => {
  if (bytes.length < 30 || textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP') return null;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  const size = webpSizes[textAt(bytes, 12)]?.(bytes);
  return size === undefined ? null : { type: 'image/webp', width: size[0], height: size[1] };
};

const webpSizes: Readonly<Record<string, (bytes: Buffer) => readonly [number, number]>> = {
  'VP8 ': (bytes) => [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff],
  VP8L: (bytes) => {
    const bits = bytes.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  },
  VP8X: (bytes) => [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1],
};

/** ITU T.81, B.1.1.3 and B.2.2: segments with their lengths up to the first frame header. */
const jpegForm = (bytes: Buffer): ImageForm | null => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.lastIndexOf(endOfJpeg) < 4) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (isFrame(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // fill bytes of 0xff may precede a marker
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

const endOfJpeg = Buffer.from([0xff, 0xd9]);

/** SOF0 to SOF15, except DHT, JPG and DAC, which lie in the same range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Four characters: the name of a chunk. */
const textAt = (bytes: Buffer, from: number): string => bytes.toString('latin1', from, from + 4);
