import { editJson } from '../../config/edit-json.ts';
import type { JsonObject, JsonValue } from '../../json/json.ts';
import { readHubs, type WrittenHub } from '../../tunnel/hubs-file.ts';

/**
 * Changes the list of hubs.json, and creates the file where there is none: it may hold secrets.
 * @param change gets the entries as a person wrote them, valid
 * @throws TributaryError CONFIG_INVALID, and what `change` throws
 */
export const editHubs = (
  file: string,
  change: (hubs: readonly WrittenHub[]) => readonly WrittenHub[],
): Promise<void> =>
  editJson(
    file,
    (content): JsonObject => {
      readHubs(content, file);
      return { ...content, hubs: change(content['hubs'] as unknown as WrittenHub[]) as unknown as JsonValue };
    },
    { hubs: [] },
  );
