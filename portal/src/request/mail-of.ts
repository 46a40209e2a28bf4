/** A message to an institution. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
}

/** Mail programs cut longer addresses. */
const maxSubject = 180;

/** An address that opens the visitor's mail program with a letter (RFC 6068: lines end in CR LF). */
export const mailOf = (email: string, { subject, text }: Letter): string => {
  const short = subject.length > maxSubject ? `${subject.slice(0, maxSubject - 1)}…` : subject;
  const body = text.replaceAll('\n', '\r\n');
  // the local part of an address may hold what begins the parameters
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(short)}&body=${encodeURIComponent(body)}`;
};
