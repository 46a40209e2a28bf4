const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_SOCKET: 'connection closed',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet: is a clock wrong?',
  CERT_REVOKED: 'certificate is revoked',
  CERT_UNTRUSTED: 'certificate is of an unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS spoken there',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'no version of TLS in common',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'no version of TLS in common',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE':
    'TLS handshake refused: no cipher in common, or a client certificate is wanted',
};

/**
 * Why a request got no response, from its error and that error's causes. Only our own wording, which is safe to show:
 * system messages may quote what was sent.
 */
export const connectionReason = (error: unknown): string => knownReason(error) ?? 'connection failed';

const knownReason = (error: unknown): string | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code = '' } = at as NodeJS.ErrnoException;
    if (Object.hasOwn(reasons, code)) return reasons[code];
    if (at instanceof AggregateError && at.errors.length > 0) return knownReason(at.errors[0]);
  }
  return undefined;
};
