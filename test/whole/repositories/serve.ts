import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Fault } from './faults.ts';
import { startRecordServer, submittedRecordOf } from './record-server.ts';
import type { RepositoryServer } from './repository-server.ts';
import { analysisOf, startStudyServer } from './study-server.ts';

const usage = `node test/whole/repositories/serve.ts study|record FILE [FILE ...]

Serves NDJSON files (plain or .gz) as a repository of the kind, each line as one analysis or record.
  --port N            of 127.0.0.1; any free one without it
  --organization A,B  the study or organization of each file, else of its documents in turn; default ORG1
  --id-field NAME     the field with the record's id; default id
  --category ID       of a record repository; default 1
  --latency-ms N      before each page
  --fail-after N      pages that are well before --fault begins; default 0
  --fault KIND        cut, garbage, html, shape, hang, or an HTTP status such as 500
  --fault-times N     requests the fault spoils; default all
  --vanish-every N    study: each N-th row is missing in its page and counts in the total
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    organization: { type: 'string', default: 'ORG1' },
    'id-field': { type: 'string', default: 'id' },
    category: { type: 'string', default: '1' },
    'latency-ms': { type: 'string', default: '0' },
    'fail-after': { type: 'string', default: '0' },
    fault: { type: 'string' },
    'fault-times': { type: 'string', default: 'Infinity' },
    'vanish-every': { type: 'string', default: '0' },
  },
});

interface Entry {
  readonly organization: string;
  readonly id: string;
  readonly document: object;
}

const main = async (): Promise<void> => {
  const [kind, ...files] = positionals;
  if ((kind !== 'study' && kind !== 'record') || files.length === 0) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const entries = readEntries(files);
  const server = kind === 'study' ? await serveStudies(entries) : await serveRecords(entries);
  Object.assign(server.switches, {
    pageLatencyMs: Number(values['latency-ms']),
    goodPages: Number(values['fail-after']),
    fault: faultOf(values.fault),
    faultTimes: Number(values['fault-times']),
  });
  process.stdout.write(`${kind} repository with ${entries.length} records at ${server.url}\n`);
};

const readEntries = (files: readonly string[]): readonly Entry[] => {
  const organizations = values.organization.split(',');
  return files.flatMap((file, at) => {
    const bytes = readFileSync(file);
    const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
    return lines
      .filter((line) => line.trim() !== '')
      .map((line, row) => {
        const document = JSON.parse(line) as Record<string, unknown>;
        const place = files.length > 1 ? at : row;
        return {
          organization: organizations[place % organizations.length]!,
          id: String(document[values['id-field']] ?? `${at}-${row}`),
          document,
        };
      });
  });
};

const serveStudies = async (entries: readonly Entry[]): Promise<RepositoryServer> => {
  const analyses = entries.map(({ organization, id, document }) => analysisOf(organization, id, document));
  const server = await startStudyServer(analyses, { port: Number(values.port) });
  const every = Number(values['vanish-every']);
  if (every > 0)
    analyses
      .filter((_one, row) => row % every === every - 1)
      .forEach(({ analysisId }) => server.vanished.add(analysisId));
  return server;
};

const serveRecords = (entries: readonly Entry[]): Promise<RepositoryServer> =>
  startRecordServer(
    entries.map(({ organization, id, document }) => submittedRecordOf(organization, id, document)),
    { port: Number(values.port), categoryId: values.category },
  );

const faultOf = (text: string | undefined): Fault | null => {
  switch (text) {
    case undefined:
      return null;
    case 'cut':
    case 'garbage':
    case 'html':
    case 'shape':
    case 'hang':
      return { kind: text };
    default:
      return { kind: 'status', status: Number(text) };
  }
};

await main();
