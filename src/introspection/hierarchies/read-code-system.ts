import { z } from 'zod';
import { invalidConfig, type TributaryError } from '../../lib/errors/errors.ts';
import type { HierarchyBuilder } from './build-hierarchy.ts';

const property = z.object({
  code: z.string(),
  valueCode: z.string().optional(),
  valueString: z.string().optional(),
  valueCoding: z.object({ code: z.string().optional() }).optional(),
  valueBoolean: z.boolean().optional(),
});

type Property = z.output<typeof property>;

const concept = z.object({
  code: z.string(),
  display: z.string().optional(),
  designation: z.array(z.object({ value: z.string() })).optional(),
  property: z.array(property).optional(),
  get concept() {
    return z.array(concept).optional();
  },
});

type Concept = z.output<typeof concept>;

const codeSystem = z.object({
  resourceType: z.literal('CodeSystem'),
  version: z.string().optional(),
  hierarchyMeaning: z.string().optional(),
  concept: z.array(concept),
});

/**
 * A FHIR CodeSystem: nested concepts, and their properties `parent` and `child`, and the listed relations.
 * @param relations such as `part_of`
 * @returns its `version`
 * @throws TributaryError CONFIG_INVALID
 */
export const readCodeSystem = (
  content: unknown,
  relations: ReadonlySet<string>,
  builder: HierarchyBuilder,
  file: string,
): string | null => {
  const parsed = codeSystem.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(
      file,
      `is not a FHIR CodeSystem with its concepts: ${issue!.path.join('.')}: ${issue!.message}`,
    );
  }
  const { version, hierarchyMeaning, concept: concepts } = parsed.data;
  if (hierarchyMeaning === 'part-of' && !relations.has('part_of'))
    throw invalid(file, 'nests concepts in what they are part of: list "part_of" under relations');
  const parents = parentsOf(concepts, new Set(['parent', ...[...relations].map(plainName)]));
  for (const concept of allIn(concepts))
    builder.add({
      id: concept.code,
      label: concept.display ?? '',
      synonyms: (concept.designation ?? [])
        .map(({ value }) => value)
        .filter((value) => value !== concept.display),
      parents: parents.get(concept) ?? [],
      obsolete: (concept.property ?? []).some(isObsolete),
      replacedBy:
        concept.property?.filter(({ code }) => plainName(code) === 'replacedby').map(codeIn)[0] ?? null,
    });
  return version ?? null;
};

const invalid = (file: string, why: string): TributaryError => invalidConfig(`${file} ${why}`);

function* allIn(concepts: readonly Concept[]): Generator<Concept> {
  for (const concept of concepts) {
    yield concept;
    if (concept.concept !== undefined) yield* allIn(concept.concept);
  }
}

/** The parents of each concept. @param relations plain names of properties that name parents */
const parentsOf = (
  concepts: readonly Concept[],
  relations: ReadonlySet<string>,
): ReadonlyMap<Concept, readonly string[]> => {
  const parents = new Map<Concept, string[]>();
  const byCode = new Map<string, Concept>();
  const add = (child: Concept | undefined, parent: string | undefined): void => {
    if (child === undefined || parent === undefined) return;
    const known = parents.get(child);
    if (known === undefined) parents.set(child, [parent]);
    else known.push(parent);
  };
  for (const concept of allIn(concepts)) byCode.set(concept.code, concept);
  for (const concept of allIn(concepts)) {
    concept.concept?.forEach((child) => add(child, concept.code));
    for (const each of concept.property ?? []) {
      if (relations.has(plainName(each.code))) add(concept, codeIn(each));
      if (each.code === 'child') add(byCode.get(codeIn(each) ?? ''), concept.code);
    }
  }
  return parents;
};

const codeIn = ({ valueCode, valueString, valueCoding }: Property): string | undefined =>
  valueCode ?? valueString ?? valueCoding?.code;

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

const isObsolete = ({ code, ...value }: Property): boolean =>
  (code === 'inactive' && (value.valueBoolean === true || value.valueCode === 'true')) ||
  (code === 'status' && /^(retired|deprecated|inactive)$/.test(codeIn(value as Property) ?? '')) ||
  (code === 'deprecated' && value.valueBoolean !== false);
