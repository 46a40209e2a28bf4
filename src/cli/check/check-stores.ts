import { DataFolder } from '../../engines/embedded/threads/data-folder.ts';
import type { EngineSettings } from '../../engines/open/open-engine.ts';
import { describeError } from '../terminal/describe-error.ts';

/** Problems in the files of the embedded engine; an index may work from memory while its file is damaged. */
export const checkStores = (
  engine: EngineSettings,
): { readonly lines: readonly string[]; readonly fine: boolean } => {
  if (engine.kind !== 'embedded') return { lines: [], fine: true };
  const folder = new DataFolder(engine.dataPath);
  const lines = folder.names().flatMap((name) => {
    const damage = damageOf(folder, name);
    return damage === null ? [] : [`  index ${name}: ${damage}`];
  });
  return { lines, fine: lines.length === 0 };
};

const damageOf = (folder: DataFolder, name: string): string | null => {
  try {
    return folder.damage(name);
  } catch (error) {
    return describeError(error);
  }
};
