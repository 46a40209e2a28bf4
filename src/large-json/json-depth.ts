const quote = 0x22;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Whether JSON text is nested at most so many levels deep, before anything parses it: what comes later walks the values
 * by recursion.
 * @param bytes UTF-8, whole; text that is no JSON gives some answer, for parsing refuses it
 */
export const isNestedWithin = (bytes: Uint8Array, most: number): boolean => {
  let depth = 0;
  let inString = false;
  // all that counts is ASCII, which no byte of a longer character is
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) inString = !inString;
    else if (inString) {
      if (byte === backslash) at += 1;
    } else if (byte === openList || byte === openObject) {
      depth += 1;
      if (depth > most) return false;
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return true;
};
