import test from 'ava';
import { loadOptions } from '../../../../src/cli/load/load-options.ts';
import { settledCommand } from '../../../../src/cli/load/load-report.ts';
import { planImport } from '../../../../src/indexing/file-import/plan-import.ts';
import { settledBy } from '../../../../src/indexing/file-import/tables/question.ts';

const headers = [['id', 'age', 'sex'], ['1', '2', '3'], ['id', '2019', '2020'], ['id', 'f', 'x'], [], ['id']];
const bodies = [
  ['1 30 f', '2 41 m', '3 28 f', '4 33 x'],
  ['1 30 f q', '2 41 m r', '3 28 f s', '4 9 x u'],
  ['a;b 1,5 f', 'c;d 2,5 m', 'e;f 3,5 m', 'g;h 3,7 m'],
  ['x', 'y', 'z', 'w'],
];
const titles = [[], ['Report'], ['Report;;', 'Made in 2020;;'], ['Title, with comma'], ['a b', 'c,d']];

const tables = [',', ';', '\t', '|', ' '].flatMap((sign) =>
  headers.flatMap((header) =>
    bodies.flatMap((body) =>
      titles.map((above) => {
        const rows = body.map((row) => row.replaceAll(' ', sign));
        return `${[...above, ...(header.length === 0 ? [] : [header.join(sign)]), ...rows].join('\n')}\n`;
      }),
    ),
  ),
);

/** The question that the plan of a file asks; null if the file loads. */
const asked = async (text: string, argv: readonly string[]): Promise<string | null> => {
  const { reading } = loadOptions(argv);
  const chunks = async function* () {
    yield Buffer.from(text);
  };
  try {
    const request = { format: 'csv', mapping: null, idField: undefined, replace: false, reading } as const;
    await (await planImport({ ...request, chunks: chunks() }, null)).release();
    return null;
  } catch (error) {
    return settledBy(error) ?? `refused: ${(error as Error).message}`;
  }
};

/** A command as its words, as a shell reads it. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, word = '']) => one ?? two ?? word);

test('each file loads with the command of its question, and none is asked twice what its first line is', async (t) => {
  for (const text of tables) {
    let argv: readonly string[] = ['f.csv', '--index', 'x'];
    const questions: string[] = [];
    for (let settled = await asked(text, argv); settled !== null; settled = await asked(text, argv)) {
      questions.push(settled);
      if (questions.length > 2) break;
      argv = wordsOf(settledCommand(argv, settled)).slice(2);
    }
    const aboutLines = questions.filter((settled) => /header|skip/.test(settled));
    // where two separators fit, the lines depend on the answer
    const isOpen = questions[0]?.startsWith('--delimiter') === true && questions[0] !== "--delimiter ' '";
    t.true(
      aboutLines.length < 2 && questions.length <= (isOpen ? 2 : 1),
      JSON.stringify({ text, questions }),
    );
  }
});
