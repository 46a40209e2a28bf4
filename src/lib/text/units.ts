import { fold } from './fold.ts';

export const daysOfYear = 365.25;
export const daysOfMonth = daysOfYear / 12;

/** What a unit measures, and how many of a common unit it is. */
export type Measure = readonly [of: string, factor: number];

type Names = readonly [of: string, factor: number, names: string];

/** As people say them, in English, French and German. */
const spoken: readonly Names[] = [
  [
    'time',
    daysOfYear,
    'year years year-old years-old yr yrs an ans annee annees jahr jahre jahren jahrig jahrige',
  ],
  ['time', daysOfMonth, 'month months mois monat monate monaten'],
  ['time', 7, 'week weeks semaine semaines woche wochen'],
  ['time', 1, 'day days jour jours tag tage tagen'],
  ['length', 0.001, 'µm'],
  ['length', 1, 'mm millimetre millimetres millimeter'],
  ['length', 10, 'cm centimetre centimetres zentimeter'],
  ['length', 1000, 'm metre metres meter metern'],
  ['length', 1e6, 'km'],
  ['length', 25.4, 'inch inches pouce pouces zoll'],
  ['length', 304.8, 'ft foot feet fuss'],
  ['mass', 0.001, 'mg'],
  ['mass', 1, 'g gram grams gramme grammes gramm'],
  ['mass', 1000, 'kg kilo kilos'],
  ['volume', 0.001, 'µl ul'],
  ['volume', 1, 'ml'],
  ['volume', 1000, 'l litre litres liter'],
  ['data', 1, 'b byte bytes octet octets'],
  ['data', 1e3, 'kb ko'],
  ['data', 1e6, 'mb mo'],
  ['data', 1e9, 'gb go'],
  ['data', 1e12, 'tb'],
  ['share', 1, '% percent prozent'],
];

/** As they are written beside fields, and mean something else in a sentence. */
const written: readonly Names[] = [
  ['length', 25.4, 'in'],
  ['time', daysOfYear, 'a y'],
  ['time', 1, 'd'],
];

const byName = (units: readonly Names[]): ReadonlyMap<string, Measure> =>
  new Map(
    units.flatMap(([of, factor, names]) =>
      names.split(' ').map((name) => [fold(name), [of, factor]] as const),
    ),
  );

const spokenUnits = byName(spoken);
const units = new Map([...spokenUnits, ...byName(written)]);

/** Whether a folded word is a unit. */
export const isSpokenUnit = (word: string): boolean => spokenUnits.has(word);

/** undefined: the unit is not known here */
export const measureOf = (unit: string): Measure | undefined => units.get(fold(unit.trim()));

/** Whether numbers in these units cannot be added; null: that is not known. */
export const areUnalike = (one: string, other: string): boolean | null => {
  if (fold(one.trim()) === fold(other.trim())) return false;
  const [measure, otherMeasure] = [measureOf(one), measureOf(other)];
  if (measure === undefined || otherMeasure === undefined) return null;
  return measure[0] !== otherMeasure[0] || measure[1] !== otherMeasure[1];
};
