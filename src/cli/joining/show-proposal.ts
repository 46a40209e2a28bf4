import type { Config } from '../../server/config/config.ts';
import type { DescribedField } from '../../federation/proposal/compatible.ts';
import type { ProposedField } from '../../federation/proposal/propose.ts';
import type { CatalogueConfig, Tier } from '../../introspection/fields/catalogue-config.ts';
import { grantToHub } from '../../capabilities/access/open-access.ts';
import type { AboutNetwork } from '../../capabilities/joining/handshake.ts';
import { escapedText } from '../../lib/text/escaped-text.ts';
import { printTable } from '../terminal/text-table.ts';
import { countOf, plural } from '../../lib/text/plural.ts';
import type { DescribedCatalogue } from './describe-catalogue.ts';
import type { Mapping } from './mapping-files.ts';

/** Prints the proposals, each field with its reason and an example. */
export const showProposal = (
  { fields }: AboutNetwork,
  own: readonly DescribedField[],
  proposed: readonly ProposedField[],
): void => {
  const known = new Set(proposed.map(({ network }) => network));
  const rows = proposed.map((one) => [one.network, one.own, whyProposed(one)]);
  if (rows.length > 0) printTable(['network', 'here', 'why'], ...rows);
  const silent = fields.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (silent.length > 0) console.log(`without a proposal: ${escapedText(silent.join(', '))}`);
  const ours = new Set(proposed.map((one) => one.own));
  const rest = own.filter(({ name, type }) => type !== 'nested' && !ours.has(name)).length;
  if (rest > 0)
    console.log(
      `${countOf(rest, 'other field')} of yours ${plural(rest, 'keeps its name', 'keep their names')}`,
    );
};

/** Why a field is proposed, and any conflict; the hub takes fields of the same name regardless. */
export const whyProposed = ({ network, own, reason, values, conflict }: ProposedField): string =>
  [
    reason,
    ...(conflict === null
      ? []
      : [`${network === own ? 'taken all the same, by its name' : 'not taken'}: ${conflict}`]),
    ...(values.length === 0
      ? []
      : [`${countOf(values.length, 'value')}, such as ${values[0]!.own} = ${values[0]!.network}`]),
  ].join('; ');

/** The fields of a network that a mapping does not name, but that a catalogue has under the same name. */
export const takenByName = (
  { fields }: Mapping,
  network: readonly DescribedField[],
  own: readonly DescribedField[],
): readonly string[] => {
  const [names, taken] = [new Set(own.map(({ name }) => name)), new Set(Object.values(fields))];
  return network.flatMap(({ name }) =>
    names.has(name) && !Object.hasOwn(fields, name) && !taken.has(name) ? [name] : [],
  );
};

/** Prints a mapping written by a person, and the fields that are taken by name although the file leaves them empty. */
export const showMapping = (
  file: string,
  mapping: Mapping,
  ...sides: readonly [network: readonly DescribedField[], own: readonly DescribedField[]]
): void => {
  const { fields, values } = mapping;
  console.log(
    `${file}: ${countOf(Object.keys(fields).length, 'field')}, values of ${Object.keys(values).length}`,
  );
  const rows = Object.entries(fields).map(([path, ours]) => [path, ours]);
  if (rows.length > 0) printTable(['network', 'here'], ...rows);
  const named = takenByName(mapping, ...sides);
  if (named.length > 0) console.log(`taken by the same name: ${escapedText(named.join(', '))}`);
};

/** What callers of the hub will see without a token of their own. */
export const whatTheyGet = (
  config: Config,
  { catalogueId, disclosure }: CatalogueConfig,
  hub: string,
  { fields, documents }: DescribedCatalogue,
): string => {
  const leaves = fields.filter(({ type }) => type !== 'nested').length;
  const all = `${countOf(leaves, 'field')}, ${countOf(documents, 'record')}`;
  const granted = grantToHub(config, catalogueId, hub);
  if (granted === null)
    return `callers of the hub get: nothing without a token, as no rule with "hub": "${hub}" applies, and nothing is public`;
  const what = whatTierShows[granted.tier ?? disclosure?.default ?? 'records'];
  return `callers of the hub get: ${what}, ${all}${granted.filter === null ? '' : ', of which the access file lets them see some'}`;
};

const whatTierShows: Readonly<Record<Tier, string>> = {
  none: 'nothing',
  boolean: 'whether there are any, from releases',
  counts: 'counts from releases',
  records: 'rows',
};
