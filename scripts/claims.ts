import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Which test or bench stands behind each claim of README.md and docs; fails when a claim, or what stands behind it, is gone.

const root = join(import.meta.dirname, '..');

/** A claim of a document, word by word, the file that proves or prints it, and words that this file must contain. */
type Claim = readonly [document: string, words: string, evidence: string, holds: string];

const claims: readonly Claim[] = [
  [
    'README.md',
    'nothing but Node.js',
    'test/whole/package/package.test.ts',
    'installs into an empty project',
  ],
  ['README.md', 'existing portals keep working', 'test/whole/clients/run.ts', 'checks'],
  [
    'README.md',
    'the answer merges their hits and counts',
    'test/federation/processes/faults.test.ts',
    'three processes answer as one',
  ],
  ['README.md', '"total": 2048', 'test/whole/end-to-end/documents.test.ts', "['README.md: curl', queried]"],
  [
    'README.md',
    'you still get an answer',
    'test/federation/processes/faults.test.ts',
    "costs that node's part only",
  ],
  ['docs/README.md', 'every example is a test', 'test/engines/cases/documented.ts', 'filters.md'],
  ['README.md', 'it never overwrites a file', 'test/cli/load/load.test.ts', 'starter'],
  [
    'README.md',
    'exact, or with bounds that hold',
    'test/federation/property-exact.test.ts',
    'a count that is shown is exact',
  ],
  [
    'README.md',
    'any number of questions tells of nobody',
    'test/capabilities/disclosure/same-answers.test.ts',
    'test(',
  ],
  ['README.md', '2.9 ms, where OpenSearch alone takes 19', 'bench/engines/run.ts', 'OpenSearch'],
  ['README.md', 'no port is opened, no file edited', 'test/whole/end-to-end/joining-closed.test.ts', 'test('],
  [
    'docs/institution.md',
    'Every way to install holds the same files',
    'test/whole/package/package.test.ts',
    'runs in a root without Node',
  ],
  [
    'docs/operations.md',
    'the start says how to rebuild it',
    'test/engines/embedded/damaged.test.ts',
    'of another version',
  ],
  [
    'docs/operations.md',
    'The pod runs as user 1000 without capabilities on a read-only root',
    'test/whole/package/chart.test.ts',
    'starts the server without rights',
  ],
  [
    'docs/operations.md',
    'Filters, values, tokens, answers and who queried are never in a span',
    'test/server/node/tracing.test.ts',
    'without filters, values, tokens or answers',
  ],
  [
    'docs/operations.md',
    'has alerts over them',
    'test/whole/package/alerts.test.ts',
    'alerts are raised for what is wrong',
  ],
  [
    'docs/operations.md',
    'connections wait',
    'test/whole/end-to-end/shutdown.test.ts',
    'follow each other on a socket',
  ],
  [
    'docs/operations.md',
    "continue each other's pages and use each other's saved sets",
    'test/engines/cluster/replicas.test.ts',
    'two replicas continue',
  ],
  ['docs/operations.md', 'keeps every acknowledged write', 'test/engines/embedded/killed.test.ts', 'test('],
  [
    'docs/operations.md',
    '`tributary audit verify` finds every alteration',
    'test/capabilities/audit/audit-trail.test.ts',
    'every alteration of a closed file',
  ],
  [
    'docs/operations.md',
    '| metric | labels | |',
    'test/server/http/ops/metrics.test.ts',
    'every metric is documented',
  ],
  [
    'docs/disclosure.md',
    '**no query of a guarded caller reaches the records**',
    'test/capabilities/disclosure/same-answers.test.ts',
    'test(',
  ],
  [
    'docs/disclosure.md',
    'every true count lay in its interval',
    'test/capabilities/disclosure/bounds/soundness.test.ts',
    'test(',
  ],
  [
    'docs/developers.md',
    'A bucket then has one count',
    'test/federation/property-exact.test.ts',
    'unless a node withholds its records or is named',
  ],
  [
    'docs/migration.md',
    'the catalogue fails with an error that names both files and the key',
    'test/server/config/catalogue-layouts.test.ts',
    'files that disagree fail the catalogue',
  ],
  [
    'docs/developers.md',
    'Every exported type has a doc comment with an example',
    'test/library-types.test.ts',
    'every export of the library has an example, and each compiles',
  ],
  [
    'docs/access.md',
    'the known ones stay valid for 24 hours',
    'test/capabilities/access/verify-token.test.ts',
    'fetched keys are valid for a day while their address fails',
  ],
  ['docs/hierarchies.md', 'A branch costs what a list of its codes does', 'bench/branches.ts', '20 000'],
  [
    'docs/filters.md',
    'A facet ignores the conditions on its own field',
    'test/engines/cases/flat-facets.ts',
    'filterThemselves',
  ],
  ['docs/disclosure.md', 'Simulated over twenty quarters', 'bench/renewal.ts', 'quarters'],
  [
    'docs/disclosure.md',
    'A release that fails is not published',
    'test/capabilities/disclosure/release/release.test.ts',
    'a failed audit withholds the release and keeps the release before',
  ],
  [
    'docs/disclosure.md',
    'The person stays counted until enough others came or went',
    'test/capabilities/disclosure/release/history.test.ts',
    'waits, until there are more of them',
  ],
  [
    'docs/consortium.md',
    'those that dial in learn the new key',
    'test/capabilities/joining/hub.test.ts',
    'test(',
  ],
  [
    'docs/portal.md',
    "Kaplan and Meier's estimate with a band of 95 % limits",
    'test/portal/explore/kaplan-meier.test.ts',
    'test(',
  ],
  [
    'docs/portal.md',
    'signing in again brings the same view back',
    'test/portal/browser/sign-in.browser.ts',
    'a session that ends is reported, and signing in again restores the view',
  ],
  [
    'docs/portal.md',
    'Values of two cohorts that share no record are tested',
    'test/portal/browser/take-along.browser.ts',
    'two cohorts beside each other: sizes, overlap, shares of exactly these, tests',
  ],
  [
    'docs/security.md',
    'names alone, `*.` only before a name of two labels or more',
    'test/server/config/environment.test.ts',
    'hosts of pictures are names alone: nothing else would stand as it is in the policy of the pages',
  ],
  [
    'docs/hierarchies.md',
    'Every facet of a field with a hierarchy has `tree`',
    'test/capabilities/disclosure/branches.test.ts',
    'branches and trees of a catalogue are what set algebra finds',
  ],
  [
    'docs/beacon.md',
    'they are in no count',
    'test/capabilities/beacon/beacon.test.ts',
    'without an answer, are in no set and named',
  ],
  [
    'docs/agents.md',
    'A number that is not exact has its bounds inside the sentence',
    'test/capabilities/agents/mcp.test.ts',
    'numbers keep their bounds inside the sentence',
  ],
  [
    'docs/fair.md',
    'Containers of the Linked Data Platform lead from each to the next',
    'test/capabilities/fair/fdp.test.ts',
    'a harvester that follows the containers finds everything',
  ],
];

/** Claims whose words, or whose evidence, no longer exist. */
export const missingClaims = (): readonly string[] =>
  claims.flatMap(([document, words, evidence, holds]) => {
    const holdsIn = (file: string, text: string): boolean =>
      existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8').includes(text);
    return [
      ...(holdsIn(document, words) ? [] : [`${document} does not say any more: ${words}`]),
      ...(holdsIn(evidence, holds) ? [] : [`${evidence} does not hold any more: ${holds}`]),
    ];
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingClaims();
  if (missing.length > 0) throw new Error(missing.join('\n'));
}
