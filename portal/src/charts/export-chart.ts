import { escapeFormula } from '../../../src/lib/text/escape-formula.ts';
import type { ChartTable } from './chart-table.ts';

const drawn = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-family',
  'font-weight',
  'opacity',
  'text-anchor',
];

/** The caption of an exported chart. */
export interface Caption {
  readonly title: string;
  /** Which institutions are included, and why others are not: a picture is shared without its page. */
  readonly coverage: string;
  /** The filter in words, the searched source, the time, and the address of the page. */
  readonly about: readonly Fact[];
}

/** A line of a caption, and its name as a column. */
export interface Fact {
  readonly head: string;
  readonly text: string;
}

/** The exported chart: the style sheet is written into each mark, on a background. */
const standalone = (svg: SVGSVGElement, { title, coverage, about }: Caption): string => {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const marks = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const colours = new Map<string, string>();
  [copy, ...copy.querySelectorAll<SVGElement>('*')].forEach((mark, at) => {
    const style = getComputedStyle(marks[at]!);
    for (const name of drawn) mark.setAttribute(name, style.getPropertyValue(name));
    const { institution } = mark.dataset;
    if (institution !== undefined) colours.set(institution, style.fill);
    for (const name of ['style', 'class', 'role', 'tabindex', 'data-mark', 'aria-describedby'])
      mark.removeAttribute(name);
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const maxLetters = Math.floor(width / letterWidth);
  const lines = [coverage === '' ? title : `${title}: ${coverage}`, ...about.map(({ text }) => text)].flatMap(
    (text) => linesOf(text, maxLetters),
  );
  const key = keyPlaces([...colours.keys()], maxLetters);
  const captionHeight = lines.length * lineHeight;
  const whole = height + captionHeight + (key.at(-1)?.line ?? 0) * lineHeight + 6;
  copy.setAttribute('viewBox', `0 0 ${width} ${whole}`);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(whole));
  const fill = getComputedStyle(svg.closest('.card') ?? svg).backgroundColor;
  copy.prepend(element('title', {}, title), element('rect', { width: '100%', height: '100%', fill }));
  copy.append(...lines.map((line, at) => captionLine(svg, line, 4, height + (at + 1) * lineHeight)));
  for (const { name, letter, line } of key) {
    const [x, y] = [4 + letter * letterWidth, height + captionHeight + line * lineHeight];
    copy.append(keyMark(colours.get(name)!, x, y), captionLine(svg, name, x + 2 * letterWidth, y));
  }
  return new XMLSerializer().serializeToString(copy);
};

const [letterWidth, lineHeight] = [6.5, 16];

const element = (
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElement => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
};

const keyMark = (fill: string, x: number, y: number): SVGElement =>
  element('rect', { x, y: y - 9, width: 9, height: 9, fill });

const captionLine = (svg: SVGSVGElement, line: string, x: number, y: number): SVGElement => {
  const { color, fontFamily } = getComputedStyle(svg);
  return element('text', { x, y, fill: color, 'font-family': fontFamily, 'font-size': '11px' }, line);
};

/** Splits a text into lines of a maximum length: between its words, and within words longer than a line. */
export const linesOf = (text: string, maxLetters: number): readonly string[] => {
  const pieces = text.split(' ').flatMap((word) => word.match(new RegExp(`.{1,${maxLetters}}`, 'gsu')) ?? []);
  return pieces.reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + 1 + word.length > maxLetters
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
};

interface KeyPlace {
  readonly name: string;
  /** Where it begins, counted in letters. */
  readonly letter: number;
  /** From 1 on. */
  readonly line: number;
}

/** The positions of a legend's names: as many to a line as fit, each after its mark. */
export const keyPlaces = (names: readonly string[], maxLetters: number): readonly KeyPlace[] => {
  let [letter, line] = [0, 1];
  return names.map((name) => {
    const letters = name.length + 4;
    if (letter > 0 && letter + letters > maxLetters) [letter, line] = [0, line + 1];
    const place = { name, letter, line };
    letter += letters;
    return place;
  });
};

/** A chart as a self-contained SVG file, with its colours resolved and named, its title and its coverage. */
export const svgOf = (svg: SVGSVGElement, caption: Caption): Blob =>
  new Blob([standalone(svg, caption)], { type: 'image/svg+xml' });

const pixelsPerUnit = 2;

/** @throws when the browser cannot draw it */
export const pngOf = async (svg: SVGSVGElement, caption: Caption): Promise<Blob> => {
  const address = URL.createObjectURL(svgOf(svg, caption));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * pixelsPerUnit;
    canvas.height = image.naturalHeight * pixelsPerUnit;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) =>
      canvas.toBlob(
        (blob) => (blob === null ? failed(new Error('the chart cannot be drawn as PNG')) : done(blob)),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
};

/**
 * With a byte order mark, or spreadsheets misread accents; text that would be a formula there is quoted.
 * @param facts what the numbers refer to: next to each, as rows are copied and sorted
 */
export const csvOf = ({ head, rows }: ChartTable, facts: readonly Fact[]): Blob => {
  const lines = [
    [...head, ...facts.map((fact) => fact.head)],
    ...rows.map((row) => [...row, ...facts.map(({ text }) => text)]),
  ];
  return new Blob([`\uFEFF${lines.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`], {
    type: 'text/csv',
  });
};

const csvCell = (value: string | number): string => {
  const text = typeof value === 'string' ? escapeFormula(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
