import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { optionText } from '../../indexing/file-import/inference/proposals.ts';

const namedLikeBook = /code.?book|dictionary/i;

/** The option that takes a codebook which lies beside the data, as a sentence; null if none does. */
export const codebookBeside = async (file: string): Promise<string | null> => {
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names.toSorted()) {
    if (!namedLikeBook.test(name) || !/\.(csv|tsv|txt)$/i.test(name) || name === basename(file)) continue;
    const path = join(dirname(file), name);
    // most loads have none beside them
    const { readCodebook } = await import('../../indexing/codebook/read-codebook.ts');
    const isBook = await readCodebook(path).then(
      () => true,
      () => false,
    );
    if (isBook)
      return `proposed: ${optionText({ name: 'codebook', value: path })}: it lies beside the data, and has the labels of columns and values`;
  }
  return null;
};
