import { Fragment, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Catalogue } from '../../api/catalogue.ts';
import { folded } from '../../i18n/folded.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { isKnown, whyRanges } from '../../look/honest.ts';
import { nameOf as nameOfNode, shortName } from '../../look/node-colours.ts';
import type { Exploration } from '../exploration.ts';
import { facetGroups } from './facet-groups.ts';
import { RangeFacet } from './range-facet.tsx';
import { ValuesFacetBox } from './values-facet.tsx';
import { SearchIcon } from '../../look/icons.tsx';

/** All facets in their order: open ones with numbers, the others by name until somebody wants them. */
export const FacetPanel = ({
  paths,
  ...exploration
}: Exploration & { readonly paths: readonly string[] }) => {
  const { t, pick } = useLocale();
  const [text, setText] = useState('');
  const { catalogue, config } = exploration;
  const hidden = new Set(config.look.hiddenFacets ?? []);
  const nameOf = (path: string): string => catalogue.fields.get(path)?.name ?? path;
  const matches = (path: string): boolean => folded(nameOf(path)).includes(folded(text));
  const order = [...new Set([...catalogue.facets, ...paths])].filter(
    (path) => !hidden.has(path) && matches(path),
  );
  const isOpen = (path: string): boolean => paths.includes(path);
  const known = order.filter((path) => isOpen(path) || catalogue.fields.has(path));
  const groups = facetGroups(config.look.facetGroups ?? [], known, isOpen);
  return (
    <div className="facets">
      <label className="row">
        <SearchIcon />
        <span className="away">{t.findFacet}</span>
        <input
          className="field"
          style={{ flex: 1 }}
          type="search"
          placeholder={t.findFacet}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {groups.map(({ name, open, closed }) =>
        name === null ? (
          <Fragment key="">
            {open.map((path) => (
              <FacetBox key={path} path={path} {...exploration} />
            ))}
            <ClosedFacets title={t.moreFacets(closed.length)} paths={closed} {...exploration} />
          </Fragment>
        ) : (
          <details key={`group ${pick(name)}`} className="facets" open>
            <summary>{pick(name)}</summary>
            {open.map((path) => (
              <FacetBox key={path} path={path} {...exploration} />
            ))}
            <ClosedFacets
              title={`${pick(name)}: ${t.moreFacets(closed.length)}`}
              paths={closed}
              {...exploration}
            />
          </details>
        ),
      )}
      {order.length === 0 && <p className="quiet">{t.noFacetMatches(text)}</p>}
    </div>
  );
};

/** Facets by name, until somebody wants their numbers. */
const ClosedFacets = ({
  title,
  paths,
  catalogue,
  view,
  change,
}: Exploration & { readonly title: string; readonly paths: readonly string[] }) => {
  const { t } = useLocale();
  if (paths.length === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {paths.map((path) => {
          const name = catalogue.fields.get(path)?.name ?? path;
          return (
            <li key={path}>
              <Button
                className="bare"
                aria-label={`${t.openFacet} ${name}`}
                onPress={() => change({ ...view, opened: [...(view.opened ?? []), path] })}
              >
                {name}
              </Button>
              <OnlyAt catalogue={catalogue} path={path} />
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** Whose field it is, where not everybody has it: two institutions may call different things alike. */
const OnlyAt = ({ catalogue, path }: { readonly catalogue: Catalogue; readonly path: string }) => {
  const nodes = catalogue.fields.get(path)?.nodes ?? null;
  if (nodes === null || nodes.length > 2 || nodes.length === catalogue.nodes.length) return null;
  return (
    <span className="quiet small">
      {nodes.map((nodeId) => shortName(nameOfNode(catalogue, nodeId))).join(', ')}
    </span>
  );
};

const FacetBox = ({ path, ...exploration }: Exploration & { readonly path: string }) => {
  const { t } = useLocale();
  const { catalogue, overview, isStale } = exploration;
  const field = catalogue.fields.get(path);
  const facet = overview?.facets.get(path);
  if (field === undefined) return null;
  const ranges = facet === undefined ? null : whyRanges(facet.kind === 'values' ? facet.buckets : facet.bins);
  return (
    <section className="card facet" aria-label={field.name}>
      <h3 title={field.description ?? path}>
        {field.name}
        {field.unit !== null && <small>{field.unit}</small>}
        {facet?.kind === 'values' && isKnown(facet) && <ValuesCount {...facet} />}
      </h3>
      {facet !== undefined && (
        <CoverageBadge catalogue={catalogue} coverage={facet.coverage} ranges={ranges} />
      )}
      <div className={isStale ? 'stale' : undefined}>
        {facet === undefined ? (
          <p className="quiet small">
            {overview === null || isStale ? t.loading : overview.total === null ? t.zero.failed : t.noNumbers}
          </p>
        ) : facet.kind === 'values' ? (
          <ValuesFacetBox facet={facet} field={field} {...exploration} />
        ) : (
          <RangeFacet facet={facet} field={field} {...exploration} />
        )}
      </div>
    </section>
  );
};

const ValuesCount = ({
  bucketCount,
  isCountExact,
}: {
  readonly bucketCount: number;
  readonly isCountExact: boolean;
}) => {
  const { t, number } = useLocale();
  return (
    <small>
      {isCountExact ? t.valuesOf(number(bucketCount), bucketCount) : t.atLeastValues(number(bucketCount))}
    </small>
  );
};
