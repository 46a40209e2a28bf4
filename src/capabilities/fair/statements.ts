import { DataFactory, Writer, type NamedNode, type Quad_Object } from 'n3';
import type { JsonValue } from '../../lib/json/json.ts';

/** The vocabularies of descriptions, by prefix. */
const prefixes = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  dct: 'http://purl.org/dc/terms/',
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  adms: 'http://www.w3.org/ns/adms#',
  dpv: 'https://w3id.org/dpv#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  ldp: 'http://www.w3.org/ns/ldp#',
  fdp: 'https://w3id.org/fdp/fdp-o#',
  csvw: 'http://www.w3.org/ns/csvw#',
  schema: 'https://schema.org/',
  healthdcatap: 'http://healthdataportal.eu/ns/health#',
} as const;

type Prefix = keyof typeof prefixes;
/** A name in a vocabulary: `dct:title`. */
type Name = `${Prefix}:${string}`;

const iriOf = (name: Name): string => {
  const colon = name.indexOf(':');
  return prefixes[name.slice(0, colon) as Prefix] + name.slice(colon + 1);
};

/** The value of a statement: an address, a literal with or without a type, or a node without an address. */
export type Value =
  | { readonly iri: string }
  | { readonly text: string; readonly type?: Name }
  | { readonly thing: Statements };

/** The properties of a resource; those without values are left out. */
export type Statements = Readonly<Partial<Record<Name, Value | readonly Value[] | undefined>>>;

/** A resource of a description. */
export interface Resource {
  readonly iri: string;
  readonly statements: Statements;
}

export const iri = (address: string): Value => ({ iri: address });
export const named = (name: Name): Value => ({ iri: iriOf(name) });
export const text = (value: string): Value => ({ text: value });
export const typed = (
  type: 'anyURI' | 'boolean' | 'nonNegativeInteger',
  value: string | number | boolean,
): Value => ({
  text: String(value),
  type: `xsd:${type}`,
});
export const date = (value: string): Value => ({
  text: value,
  type: value.includes('T') ? 'xsd:dateTime' : 'xsd:date',
});
export const thing = (statements: Statements): Value => ({ thing: statements });

const entriesOf = (statements: Statements): readonly (readonly [Name, readonly Value[]])[] =>
  Object.entries(statements).flatMap(([name, values]) =>
    values === undefined ? [] : [[name as Name, [values].flat() as readonly Value[]] as const],
  );

const { literal, namedNode } = DataFactory;

interface Pair {
  readonly predicate: NamedNode;
  readonly object: Quad_Object;
}

/** Resources as Turtle. */
export const asTurtle = (resources: readonly Resource[]): Promise<string> => {
  const writer = new Writer({ prefixes });
  const termOf = (value: Value): Quad_Object => {
    if ('iri' in value) return namedNode(value.iri);
    if ('text' in value) return literal(value.text, value.type && namedNode(iriOf(value.type)));
    return writer.blank([...pairsOf(value.thing)]);
  };
  const pairsOf = (statements: Statements): readonly Pair[] =>
    entriesOf(statements).flatMap(([name, values]) =>
      values.map((value) => ({ predicate: namedNode(iriOf(name)), object: termOf(value) })),
    );
  for (const { iri: subject, statements } of resources)
    for (const { predicate, object } of pairsOf(statements))
      writer.addQuad(namedNode(subject), predicate, object);
  return new Promise((resolve, reject) => {
    writer.end((error: Error | null | undefined, written: string) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
};

/** Resources as JSON-LD in its expanded form, with a context of the same prefixes. */
export const asJsonLd = (resources: readonly Resource[]): JsonValue => ({
  '@context': prefixes,
  '@graph': resources.map((resource) => ({ '@id': resource.iri, ...objectOf(resource.statements) })),
});

const objectOf = (statements: Statements): Record<string, JsonValue> =>
  Object.fromEntries(
    entriesOf(statements).map(([name, values]) =>
      name === 'rdf:type'
        ? ['@type', values.map((value) => ('iri' in value ? value.iri : ''))]
        : [name, values.map(jsonOf)],
    ),
  );

const jsonOf = (value: Value): JsonValue => {
  if ('iri' in value) return { '@id': value.iri };
  if ('text' in value) return { '@value': value.text, ...(value.type && { '@type': value.type }) };
  return objectOf(value.thing);
};
