const consonants = 'bdfghjklmnprstvz';
const vowels = 'aiou';

/**
 * The first 80 bits of a key's thumbprint as five words to be read aloud: proquints (Wilkerson, "A Proposal for
 * Proquints", arXiv:0901.4016).
 * @param thumbprint in base64url
 */
export const spokenKey = (thumbprint: string): string => {
  const bytes = Buffer.from(thumbprint, 'base64url');
  return Array.from({ length: 5 }, (_, at) => quint(bytes.readUInt16BE(at * 2))).join('-');
};

const quint = (bits: number): string =>
  consonants[bits >> 12]! +
  vowels[(bits >> 10) & 3]! +
  consonants[(bits >> 6) & 15]! +
  vowels[(bits >> 4) & 3]! +
  consonants[bits & 15]!;
