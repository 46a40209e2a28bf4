import { randomFrom } from '../engine/documents.ts';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const syllables = 'ba cor de fin gra hol is ja kem lu mar ne os par qui ro sel ta ulm vi tur key'.split(' ');

const random = randomFrom(7);
/** Words of the records' texts, which users search for. */
export const words: readonly string[] = Array.from({ length: 2_000 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 2) }, () =>
    syllables.at(Math.floor(random() * syllables.length)),
  ).join(''),
);

const even = (count: number): number => Math.floor(random() * count);
/** Few values are frequent. */
const skewed = (count: number): number => Math.floor(count * random() * random());
const word = (count = words.length): string => words[skewed(count)]!;

/** Ten columns of keywords with two to a million values, three of numbers, a date and a boolean. */
const columns: Readonly<Record<string, (position: number) => string | number>> = {
  id: (position) => `OBJ-${String(position).padStart(8, '0')}`,
  title: () => `${word()} ${word()} with ${word()}`,
  maker: () => `${word()} ${word(200)}`,
  culture: () => `${word(200)} culture`,
  material: () => `${word(400)}`,
  technique: () => `technique ${skewed(80)}`,
  department: () => `department ${skewed(20)}`,
  country: () => `country ${skewed(120)}`,
  city: () => `${word(1_500)} city`,
  status: () => ['on view', 'in storage', 'on loan', 'missing'][skewed(4)]!,
  height: () => even(500),
  width: () => even(800),
  made: () => 1200 + even(800),
  acquired: () => new Date(Date.UTC(1870, 0, 1) + even(55_000) * 86_400_000).toISOString().slice(0, 10),
  insured: () => String(even(2) === 0),
};

/** Writes a CSV file of so many records. */
export const writeRecords = async (path: string, count: number): Promise<void> => {
  const file = createWriteStream(path);
  file.write(`${Object.keys(columns).join(',')}\n`);
  const values = Object.values(columns);
  for (let position = 0; position < count; position += 1)
    if (!file.write(`${values.map((value) => value(position)).join(',')}\n`)) await once(file, 'drain');
  await once(file.end(), 'close');
};
