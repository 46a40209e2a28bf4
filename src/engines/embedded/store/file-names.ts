import { TributaryError } from '../../../errors/errors.ts';

/** Long enough for any real name, short enough for every file system once encoded. */
export const maxNameBytes = 200;

/**
 * The name of an index as a file name: lower-case letters, digits, `_`, `-` and inner dots stay, every other byte
 * becomes %XX. Different names give different files, even on case-insensitive file systems, and none escapes its
 * folder.
 * @throws TributaryError BAD_USER_INPUT for an empty or overlong name
 */
export const fileNameOf = (index: string): string => {
  const encoded = Array.from(Buffer.from(index), (byte, position) => {
    const character = String.fromCharCode(byte);
    const plain = /[a-z0-9_-]/.test(character) || (character === '.' && position > 0);
    return plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
  if (encoded === '' || encoded.length > maxNameBytes) {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `index name must have 1 to ${maxNameBytes} characters, not ${index.length}`,
    );
  }
  return encoded;
};

/** The index whose file has that name (without extension). */
export const indexOfFileName = (fileName: string): string =>
  Buffer.from(
    fileName.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();
