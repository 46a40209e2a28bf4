import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Claim, type Claimant, claimState, claimantText, takeClaim } from './claim.ts';
import { fileError } from './file-error.ts';
import { fileNameOf, indexOfFileName } from './file-names.ts';

/** An index name in a data folder whose index is being created, or was until the creating process was killed. */
export interface NameClaim {
  readonly name: string;
  readonly claimant: Claimant;
  readonly held: boolean;
}

/**
 * Claims the creation of an index under a name; null when another process holds the claim.
 * @throws TributaryError as `fileError`
 */
export const takeNameClaim = (folder: string, name: string): Claim | null => {
  const told = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw fileError(error, `index ${name}`) ?? error;
    }
  };
  const claim = told(() => takeClaim(pathOf(folder, name)));
  return claim && { ...claim, note: (indexes) => told(() => claim.note(indexes)) };
};

/** Who is creating an index of that name, or was killed doing so; null for nobody. */
export const nameClaim = (folder: string, name: string): NameClaim | null => {
  const state = claimState(pathOf(folder, name));
  return state === null ? null : { name, ...state };
};

/** All claims in a data folder, sorted by name. */
export const nameClaims = (folder: string): readonly NameClaim[] => {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((file) => pattern.exec(file)?.[1] ?? []);
  return names
    .map(indexOfFileName)
    .sort()
    .flatMap((name) => nameClaim(folder, name) ?? []);
};

/** Describes the holder of a name, whether or not its record could be read. */
export const holderText = (folder: string, name: string): string => {
  const claim = nameClaim(folder, name);
  return claim === null ? 'another process' : claimantText(claim.claimant);
};

const pattern = /^@load-(.+)\.json$/;

const pathOf = (folder: string, name: string): string => join(folder, `@load-${fileNameOf(name)}`);
