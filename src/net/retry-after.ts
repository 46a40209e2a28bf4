/**
 * How long a response asks to wait before the next request.
 * @param header Retry-After as received (RFC 9110, section 10.2.3: seconds or a date)
 * @returns milliseconds; null if it cannot be read
 */
export const retryAfterMs = (header: string | null | undefined, now = Date.now()): number | null => {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
