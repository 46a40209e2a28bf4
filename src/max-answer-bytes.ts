/**
 * The most bytes of one answer, unpacked: what nodes take from each other, so that no node may be set to send more.
 */
export const maxAnswerBytes = 64 * 1024 * 1024;
