import test from 'ava';
import { cursorFingerprint, parseCursor, printCursor } from '../../src/federation/cursor.ts';

const sort = [{ fieldName: 'size', order: 'asc' }] as const;
const made = cursorFingerprint(['a', 'b'], sort);

test('a cursor reads back as it was', (t) => {
  const position = new Map([['a', [null, 'x', 1.5]], ['b', ['9007199254740993', 3]]]); // prettier-ignore
  t.deepEqual(parseCursor(printCursor(position, made), made), position);
});

test('the order of the nodes does not matter, their set and the sort do', (t) => {
  t.is(cursorFingerprint(['b', 'a'], sort), made);
  t.not(cursorFingerprint(['a'], sort), made);
  t.not(cursorFingerprint(['a', 'b'], [{ fieldName: 'size', order: 'desc' }]), made);
});

test('what is no cursor of this question is refused, and nothing is the first page', (t) => {
  t.is(parseCursor(null, made), null);
  t.is(parseCursor([], made), null);
  for (const input of ['', 'abc', [1], 7, { a: 1 }])
    t.throws(() => parseCursor(input, made), { code: 'BAD_USER_INPUT', message: /not a cursor/ });
  t.throws(() => parseCursor(printCursor(new Map(), 'other'), made), {
    message: /other nodes or another sort/,
  });
});
