/**
 * The maximum bytes of one response, decompressed: nodes accept this from each other, so no node may be set to send
 * more.
 */
export const maxAnswerBytes = 64 * 1024 * 1024;
