import type { Answer } from './http-exchange.ts';

/** The name of the index behind the catalogue: no client has to know it. */
export const hiddenIndex = 'unseen-index-4711';

const projectFolder = new URL('../../../', import.meta.url).pathname;

/** What must never stand in an answer: traces, the inside of the program, where it lies and what it runs on. */
const leaks: readonly RegExp[] = [
  /\n\s+at .+:\d+:\d+/,
  /\.[cm]?[jt]s:\d+/,
  /node:internal|node_modules|file:\/\//,
  /SyntaxError|TypeError|RangeError|ReferenceError|ERR_[A-Z_]+|\bE(NOENT|ACCES|CONN[A-Z]+|ISDIR|PIPE|MFILE|PERM)\b/,
  /Maximum call stack|Cannot read prop|is not a function|is not iterable|Unexpected token|undefined \(reading/,
  /sqlite|worker thread/i,
];

/**
 * What is wrong with a response, whatever the request: a status no client error may have, a body that is not JSON, or
 * something of the inside in it. What the client sent may be quoted back.
 */
export const breaches = (answer: Answer, sent: string): readonly string[] => {
  const found: string[] = [];
  if (answer.status >= 500 && answer.status !== 503) found.push(`status ${answer.status}`);
  if (!isJson(answer)) found.push('the body is not valid JSON');
  for (const secret of [hiddenIndex, projectFolder])
    if (answer.text.includes(secret)) found.push(`it reveals ${secret}`);
  for (const leak of leaks) {
    const leaked = leak.exec(answer.text)?.[0];
    if (leaked !== undefined && !sent.includes(leaked)) found.push(`it tells ${leaked}`);
  }
  if (answer.text.includes('INTERNAL_SERVER_ERROR')) found.push('an internal error');
  return found.map((breach) => `${breach}: ${answer.status} ${answer.text.slice(0, 600)}`);
};

const isJson = ({ status, headers, text }: Answer): boolean => {
  if (text === '') return status === 204 || status === 304;
  if (!String(headers['content-type']).includes('json')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
