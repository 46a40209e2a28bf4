import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Claim, type Claimant, claimState, claimantText, takeClaim } from './claim.ts';
import { fileError } from './file-error.ts';
import { fileNameOf, indexOfFileName } from './file-names.ts';

/** A name of a data folder that somebody makes the index of, or has made until its process was ended. */
export interface NameClaim {
  readonly name: string;
  readonly claimant: Claimant;
  readonly held: boolean;
}

/**
 * Takes the claim to make the index of a name; null when another process holds it.
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

/** Who makes the index of a name, or was ended while it did; null when nobody does or did. */
export const nameClaim = (folder: string, name: string): NameClaim | null => {
  const state = claimState(pathOf(folder, name));
  return state === null ? null : { name, ...state };
};

/** All claims of a data folder, in the order of their names. */
export const nameClaims = (folder: string): readonly NameClaim[] => {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((file) => pattern.exec(file)?.[1] ?? []);
  return names
    .map(indexOfFileName)
    .sort()
    .flatMap((name) => nameClaim(folder, name) ?? []);
};

/** The holder of a name in words, whether or not it could be read. */
export const holderText = (folder: string, name: string): string => {
  const claim = nameClaim(folder, name);
  return claim === null ? 'another process' : claimantText(claim.claimant);
};

const pattern = /^@load-(.+)\.json$/;

const pathOf = (folder: string, name: string): string => join(folder, `@load-${fileNameOf(name)}`);
