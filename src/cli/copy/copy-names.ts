import { loadConfig } from '../../config/load.ts';
import { DataFolder } from '../../engines/embedded/threads/data-folder.ts';
import { TributaryError } from '../../errors/errors.ts';
import { copiedName } from '../../indexing/copy-index.ts';
import { describeIfThere } from '../../indexing/index-target.ts';
import type { CopyEnd } from './copy-engines.ts';

/**
 * The indexes that --all copies. A search server may have other users, so only the indexes of catalogues and saved sets
 * are copied from one.
 * @throws TributaryError INPUT_INVALID when there is nothing to copy
 */
export const namesOfAll = async (from: CopyEnd, env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const { settings } = from;
  const names =
    settings.kind === 'embedded' ? namesOfFolder(settings.dataPath) : await namesOfCatalogues(from, env);
  if (names.length > 0) return names;
  throw new TributaryError(
    'INPUT_INVALID',
    settings.kind === 'embedded'
      ? `there is nothing to copy: ${settings.dataPath} holds no index`
      : `there is nothing to copy: no catalogue's index is at ${from.place}`,
  );
};

const namesOfFolder = (dataPath: string): readonly string[] => {
  const folder = new DataFolder(dataPath);
  const names = folder.names().map((name) => copiedName(name, folder.summary(name).aliases));
  return [...new Set(names)];
};

const namesOfCatalogues = async ({ engine }: CopyEnd, env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const { catalogues } = loadConfig(env);
  const wanted = new Set(catalogues.flatMap(({ esIndex, setsIndex }) => [esIndex, setsIndex]));
  const names: string[] = [];
  for (const name of wanted)
    if (name !== null && (await describeIfThere(engine, name)) !== null) names.push(name);
  return names;
};
