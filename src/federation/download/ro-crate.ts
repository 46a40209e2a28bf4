import type { Manifest, WrittenFile } from './manifest.ts';

/** The file name is fixed by the specification. */
export const roCrateName = 'ro-crate-metadata.json';

/** RO-Crate 1.2 (https://w3id.org/ro/crate/1.2): the source, query and time of these files, machine-readable. */
export const roCrateOf = (manifest: Manifest, manifestName: string): string => {
  const { network, files, nodes, endedAt, complete, question } = manifest;
  const included = nodes.filter(({ state }) => state !== 'excluded');
  const rows = files.map((file) => file.rows).reduce((sum, one) => sum + one, 0);
  const graph = [
    {
      '@id': roCrateName,
      '@type': 'CreativeWork',
      about: { '@id': './' },
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
    },
    {
      '@id': './',
      '@type': 'Dataset',
      name: `Download from ${network}`,
      description:
        `${rows} rows from ${included.length} nodes, ${complete ? 'complete' : 'not complete'}; ` +
        `${manifestName} records what each node sent. The query: ${question.text}`,
      datePublished: endedAt,
      license: { '@id': '#license' },
      hasPart: [...files.map(({ name }) => idOf(name)), idOf(manifestName)],
      mentions: { '@id': '#download' },
    },
    {
      '@id': '#license',
      '@type': 'CreativeWork',
      name: 'Terms of the nodes',
      description:
        'No license was stated by the server. Ask the nodes under which terms their records may be used.',
    },
    ...files.map(fileEntity),
    {
      ...idOf(manifestName),
      '@type': 'File',
      name: 'Manifest',
      description:
        'The query, the nodes that were queried and the outcome of each, and the hashes of the files.',
      encodingFormat: 'application/json',
    },
    {
      '@id': '#download',
      '@type': 'CreateAction',
      name: 'Download',
      startTime: manifest.startedAt,
      endTime: endedAt,
      instrument: { '@id': '#server' },
      object: included.map(({ nodeId }) => nodeReference(nodeId)),
      result: files.map(({ name }) => idOf(name)),
    },
    {
      '@id': '#server',
      '@type': 'SoftwareApplication',
      name: manifest.server.name,
      version: manifest.server.version,
    },
    ...included.map(({ nodeId, name, records }) => ({
      ...nodeReference(nodeId),
      '@type': 'Dataset',
      name,
      description: `${records} records of this node are in the files`,
    })),
  ];
  return `${JSON.stringify({ '@context': 'https://w3id.org/ro/crate/1.2/context', '@graph': graph }, null, 2)}\n`;
};

const fileEntity = ({ name, contentType, bytes, sha256 }: WrittenFile) => ({
  ...idOf(name),
  '@type': 'File',
  name,
  encodingFormat: contentType.split(';')[0],
  contentSize: String(bytes),
  sha256,
});

const idOf = (name: string) => ({ '@id': encodeURIComponent(name) });
const nodeReference = (nodeId: string) => ({ '@id': `#node-${encodeURIComponent(nodeId)}` });
