import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { editJson } from '../../server/config/edit-json.ts';
import type { About, DescribedBy } from '../../introspection/fields/about.ts';
import type { Field, FieldKind, Fields } from '../../introspection/fields/field.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { closest } from '../../lib/text/unknown-keys.ts';

/** Which fields suit a description: the kinds of fields, and a pattern of names for proposals. */
const uses = {
  person: {
    kinds: ['keyword', 'number'],
    name: /(patient|person|donor|subject|individual|participant)s?[_.]?(id|identifier|key)?$/i,
  },
  age: { kinds: ['number'], name: /(^|[._])age($|[._])/i },
  time: { kinds: ['date'], name: /(diagnos|collect|visit|admi|sampl|creat|date|time|year)/i },
} as const satisfies Record<
  keyof DescribedBy,
  { readonly kinds: readonly FieldKind[]; readonly name: RegExp }
>;

const isUse = (key: string): key is keyof typeof uses => Object.hasOwn(uses, key);

/** Problems with the fields that a catalogue.json, or its section in nodes.json, names; a line each. */
export const aboutProblems = (
  about: About,
  fields: Fields,
  where = 'catalogue.json, ',
): readonly string[] => {
  const { describes = {}, beacon = {} } = about;
  const named = [
    ...Object.entries(describes).map(
      ([key, path]) => [`describes.${key}`, path as string | undefined] as const,
    ),
    ...Object.entries(beacon.projection ?? {}).map(
      ([target, path]) => [`beacon.projection.${target}`, path] as const,
    ),
    ...(beacon.terms ?? []).map(({ fieldName }, at) => [`beacon.terms.${at}.fieldName`, fieldName] as const),
  ];
  return named.flatMap(([key, path]) => {
    if (path === undefined) return [];
    const field = fields.get(path);
    if (field === undefined) {
      const near = closest(path, [...fields.keys()]);
      return [
        `${where}${key}: there is no field ${path}${near?.isSlip ? `: did you mean ${near.name}?` : ''}`,
      ];
    }
    const use = key.replace('describes.', '');
    const { kinds }: { readonly kinds: readonly FieldKind[] } = isUse(use)
      ? uses[use]
      : { kinds: [field.kind] };
    return kinds.includes(field.kind)
      ? []
      : [`${where}${key}: ${path} is a ${field.kind}: a ${kinds.join(' or ')} expected`];
  });
};

/** Fields that a description may summarise, chosen by name; null if there are none. */
const proposedDescription = (fields: Fields): DescribedBy | null => {
  const found = Object.entries(uses).flatMap(([key, { kinds, name }]) => {
    const isMeant = ({ path, kind, nestedIn }: Field): boolean =>
      nestedIn.length === 0 && (kinds as readonly FieldKind[]).includes(kind) && name.test(path);
    const [field] = [...fields.values()]
      .filter(isMeant)
      .sort((one, other) => one.path.length - other.path.length);
    return field === undefined ? [] : [[key, field.path] as const];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
};

/** Starts a catalogue.json for each catalogue without one, with the fields that its description may summarise. */
export const writeAbout = async (states: readonly CatalogueState[]): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const state of states) {
    if (state.status !== 'available' || state.config.about !== undefined || !existsSync(state.config.folder))
      continue;
    const describes = proposedDescription(state.catalogue.fields);
    if (describes === null) continue;
    const file = join(state.config.folder, 'catalogue.json');
    const title = state.config.description ?? state.config.catalogueId;
    await editJson(file, () => ({ title, describes: { ...describes } }), {});
    const named = Object.entries(describes).map(([key, path]) => `${key} ${String(path)}`);
    lines.push(`${file} is new: it describes ${named.join(', ')}; complete it (docs/fair.md)`);
  }
  return lines;
};

/** Catalogues with the same name as a door; they keep their own paths. */
export const hiddenDoors = (
  states: readonly CatalogueState[],
  segments: Readonly<Record<string, string | null>>,
): readonly string[] =>
  states.flatMap(({ config: { catalogueId } }) =>
    Object.entries(segments)
      .filter(([, segment]) => segment === catalogueId)
      .map(
        ([door]) =>
          `warning: catalogue ${catalogueId} has the name of a door: /${catalogueId}/graphql, /download and /introspection are the catalogue's, all else below /${catalogueId} is the door's; ${door.toUpperCase()}=${door}2 moves the door`,
      ),
  );
