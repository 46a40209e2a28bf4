const quote = 0x22;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Follows how deep JSON text is nested while it arrives, before anything parses it: what comes later walks the values
 * by recursion.
 * @returns takes the next bytes; false once they are nested deeper than `most` levels
 */
export const depthWithin = (most: number): ((chunk: Uint8Array) => boolean) => {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return (chunk) => {
    // all that counts is ASCII, which no byte of a longer character is
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) inString = true;
      else if (byte === openList || byte === openObject) {
        depth += 1;
        if (depth > most) return false;
      } else if (byte === closeList || byte === closeObject) depth -= 1;
    }
    return true;
  };
};
