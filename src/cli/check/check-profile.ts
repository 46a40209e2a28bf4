import { place } from '../../federation/config/read-nodes.ts';
import { converted } from '../../federation/conversion/unit.ts';
import type { NetworkConfig, NodeConfig, NodeUnit, ProfileDimension } from '../../federation/config/nodes.ts';
import type { NodeReport } from '../../federation/nodes/node-view.ts';
import type { ReleasedDimension, WithheldStatement } from '../../introspection/fields/catalogue-config.ts';
import type { Registry } from '../../local/registry.ts';
import { together, type Findings } from './check-values.ts';

/** What a node states about its release. */
interface Stated extends WithheldStatement {
  /** null: not stated. */
  readonly released: readonly ReleasedDimension[] | null;
}

/**
 * The differences between what the network's file requires nodes to release and what nodes that withhold their records do
 * release. Nodes that show records, to this server's credential or to everyone, are skipped.
 * @param reports in the order of the file
 */
export const checkProfile = (
  config: NetworkConfig,
  reports: readonly NodeReport[],
  byId: Registry['byId'],
): Findings => {
  const compared = config.nodes.map((node, index) => {
    const stated = statedBy(node, reports[index]!, byId);
    return stated === null ? nothing : compareNode(config, node, stated);
  });
  return together(compared);
};

const nothing: Findings = { problems: [], warnings: [] };

const statedBy = ({ source }: NodeConfig, report: NodeReport, byId: Registry['byId']): Stated | null => {
  if (source.kind === 'remote')
    return report.disclosure && { ...report.disclosure, released: report.released ?? null };
  const state = byId(source.catalogueId);
  const substitute = state?.status === 'available' ? state.catalogue.substitute : undefined;
  return substitute === undefined
    ? null
    : { ...substitute.disclosure(null), released: substitute.released ?? null };
};

const compareNode = (
  { where, disclosure: profile }: NetworkConfig,
  node: NodeConfig,
  { threshold, counted, date, released }: Stated,
): Findings => {
  if (profile === undefined) return nothing;
  const at = place(where, node.nodeId);
  const own = (path: string): string => node.fields.get(path) ?? path;
  const problems: string[] = [];
  if (profile.threshold !== undefined && threshold !== profile.threshold)
    problems.push(
      `hides counts below ${threshold}, but network.disclosure.threshold is ${profile.threshold}`,
    );
  const unit = profile.unit === undefined || profile.unit === 'record' ? profile.unit : own(profile.unit);
  if (unit !== undefined && counted !== unit)
    problems.push(`counts ${unitText(counted)}, but network.disclosure.unit asks for ${unitText(unit)}`);
  if (date !== null && released !== null)
    problems.push(
      ...profile.dimensions.flatMap((wanted) => {
        const path = own(wanted.fieldName);
        if (node.constants?.has(wanted.fieldName) === true) return [];
        const found = released.find(({ fieldName }) => fieldName === path);
        return difference(wanted, path, inUnit(found, node.units?.get(wanted.fieldName))) ?? [];
      }),
    );
  const unknown = date === null ? 'has released nothing yet' : 'does not say by what it counts';
  return {
    problems: problems.map((problem) => `${at}: ${problem}`),
    warnings:
      profile.dimensions.length > 0 && (date === null || released === null)
        ? [`${at}: ${unknown}: network.disclosure.dimensions cannot be compared`]
        : [],
  };
};

/** A release's edges, converted to the network's unit. */
const inUnit = (
  released: ReleasedDimension | undefined,
  unit: NodeUnit | undefined,
): ReleasedDimension | undefined =>
  released?.edges === undefined || unit === undefined
    ? released
    : {
        ...released,
        edges: released.edges.map((edge) => converted(edge, unit)).sort((one, other) => one - other),
      };

const unitText = (unit: string): string => {
  if (unit === '') return 'what it does not name';
  return unit === 'record' ? 'records' : `values of ${unit}`;
};

const difference = (
  { edges, isDate }: ProfileDimension,
  path: string,
  released: ReleasedDimension | undefined,
): string | null => {
  if (released === undefined) return `does not release ${path}, which network.disclosure.dimensions lists`;
  if (edges === undefined || same(edges, released.edges)) return null;
  const counts =
    released.edges === undefined
      ? `releases values of ${path} and no intervals`
      : `has the edges ${edgesText(released.edges, isDate)} for ${path}`;
  return `${counts}, but network.disclosure.dimensions has ${edgesText(edges, isDate)}`;
};

const same = (one: readonly number[], other: readonly number[] | undefined): boolean =>
  one.length === other?.length && one.every((edge, index) => edge === other[index]);

const furthestMs = 8.64e15;

const edgesText = (edges: readonly number[], isDate: boolean): string => {
  const texts = edges.map((edge) =>
    isDate && Math.abs(edge) <= furthestMs ? new Date(edge).toISOString().slice(0, 10) : String(edge),
  );
  // a calendar of months has hundreds: their number, ends and first steps show which ones differ
  return texts.length <= maxEdges
    ? texts.join(', ')
    : `${texts.slice(0, 3).join(', ')} ... ${texts.at(-1)} (${texts.length})`;
};

const maxEdges = 12;
