import test from 'ava';
import { mailOf } from '../../../portal/src/request/mail-of.ts';

test('a letter is an address that a mail program reads, whatever stands in it', (t) => {
  const letter = {
    subject: 'Request: Sex Female & Âge > 60?',
    text: 'Guten Tag,\n\nhttps://a.example/#v1=x&y 100 %',
  };
  const url = new URL(mailOf('data-access@lakeshore.example.org', letter));
  t.is(url.protocol, 'mailto:');
  t.is(url.pathname, 'data-access@lakeshore.example.org');
  t.deepEqual(Object.fromEntries(url.searchParams), {
    subject: letter.subject,
    body: letter.text.replaceAll('\n', '\r\n'),
  });
});

test('an address cannot add parameters or recipients of its own', (t) => {
  const url = new URL(mailOf('x?bcc=eve@example.org', { subject: 's', text: 't' }));
  t.deepEqual([...url.searchParams.keys()], ['subject', 'body']);
});

test('a long subject is cut', (t) => {
  const { searchParams } = new URL(mailOf('a@example.org', { subject: 'x'.repeat(500), text: '' }));
  t.is(searchParams.get('subject')!.length, 180);
});
