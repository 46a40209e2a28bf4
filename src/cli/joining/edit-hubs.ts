import { editJson } from '../../server/config/edit-json.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { JsonObject, JsonValue } from '../../lib/json/json.ts';
import {
  isSameMembership,
  readHubs,
  type HubEntry,
  type WrittenHub,
} from '../../capabilities/joining/hubs-file.ts';

/**
 * Changes the list of hubs.json, and creates the file if it is missing: private, as it may hold secrets.
 * @param change receives the entries as a person wrote them, valid
 * @throws TributaryError CONFIG_INVALID, also for entries that no server would dial, and errors of `change`
 */
export const editHubs = (
  file: string,
  change: (hubs: readonly WrittenHub[]) => readonly WrittenHub[],
): Promise<void> =>
  editJson(
    file,
    (content): JsonObject => {
      readHubs(content, file);
      const hubs = change(content['hubs'] as unknown as WrittenHub[]) as unknown as JsonValue;
      readHubs({ hubs }, file);
      return { ...content, hubs };
    },
    { hubs: [] },
  );

/**
 * Adds a hub. Entries written by a person stay: the entry of a known hub gets the address, the key, the invitation, and the names and
 * values that it lacks.
 * @throws TributaryError CONFLICT if another hub has this name, or this hub has another name (their two tunnels would replace
 *   each other) or another catalogue
 */
export const addHub = (file: string, entry: HubEntry): Promise<void> =>
  editHubs(file, (hubs) => {
    const at = hubs.findIndex(({ name }) => name === entry.name);
    const known = hubs[at];
    const same = hubs.find((one) => isSameMembership(one, entry));
    if (same !== undefined && same !== known)
      throw new TributaryError(
        'CONFLICT',
        `${file} has this hub as ${same.name}: join with --name ${same.name}, or leave ${same.name} first`,
      );
    if (known === undefined) return [...hubs, entry];
    if (same === undefined)
      throw new TributaryError(
        'CONFLICT',
        `${file} has another hub named ${entry.name}: --name gives this one its own`,
      );
    if (known.catalogue !== entry.catalogue)
      throw new TributaryError(
        'CONFLICT',
        `${file} has ${entry.name} with the catalogue ${known.catalogue}, which stays: change that line, or leave ${entry.name} first`,
      );
    const { url, key, invitation } = entry;
    return hubs.with(at, { ...entry, ...known, url, key, invitation, ...withKnown(entry, known) });
  });

/** Merges names and values into an entry: a field of the catalogue has only one name. */
const withKnown = (
  entry: HubEntry,
  { fields = {}, values = {} }: WrittenHub,
): Pick<HubEntry, 'fields' | 'values'> => {
  const taken = new Set(Object.values(fields));
  const fresh = Object.entries(entry.fields).filter(([, own]) => !taken.has(own));
  return { fields: { ...Object.fromEntries(fresh), ...fields }, values: { ...entry.values, ...values } };
};
