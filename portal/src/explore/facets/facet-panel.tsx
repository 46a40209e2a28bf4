import { Fragment, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Catalogue } from '../../api/catalogue.ts';
import { objectName, objectOf } from '../../api/nouns.ts';
import { fold } from '../../../../src/lib/text/fold.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { SearchIcon } from '../../look/icons.tsx';
import { hasAnswered } from '../../look/honest.ts';
import { nameOf as nameOfNode, shortName } from '../../look/node-colours.ts';
import type { Exploration } from '../exploration.ts';
import { FacetBox, type Nothing } from './facet-box.tsx';
import { facetGroups } from './facet-groups.ts';
import { InstitutionsFacet } from './institutions-facet.tsx';

/** All facets in order: open ones with numbers, the others by name until they are opened. */
export const FacetPanel = ({
  paths,
  ...exploration
}: Exploration & { readonly paths: readonly string[] }) => {
  const { t, pick } = useLocale();
  const [text, setText] = useState('');
  const { catalogue, config, isStale } = exploration;
  const hidden = new Set(config.look.hiddenFacets ?? []);
  const nameOf = (path: string): string => catalogue.fields.get(path)?.name ?? path;
  const matches = (path: string): boolean => fold(nameOf(path)).includes(fold(text));
  const order = [...new Set([...catalogue.facets, ...paths])].filter(
    (path) => !hidden.has(path) && matches(path),
  );
  const isOpen = (path: string): boolean => paths.includes(path);
  const known = order.filter((path) => isOpen(path) || catalogue.fields.has(path));
  const groups = facetGroups(config.look.facetGroups ?? [], known, isOpen, (path) =>
    objectOf(path, catalogue),
  );
  return (
    <div className={isStale ? 'facets stale' : 'facets'}>
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
      {catalogue.nodes.length > 1 && fold(t.institution).includes(fold(text)) && (
        <InstitutionsFacet {...exploration} />
      )}
      {groups.map(({ name, object, open, closed }) => {
        if (name === null && object === null)
          return (
            <Fragment key={open.length > 0 ? '' : 'others'}>
              {open.map((path) => (
                <FacetOf key={path} {...{ path, object }} {...exploration} />
              ))}
              <ClosedFacets title={t.moreFacets(closed.length)} paths={closed} {...exploration} />
            </Fragment>
          );
        const title = name === null ? objectName(object!, catalogue) : pick(name);
        return (
          <details
            key={object ?? `group ${title}`}
            className="facets"
            open={name !== null || open.length > 0}
          >
            <summary>{title}</summary>
            {open.map((path) => (
              <FacetOf key={path} path={path} object={object === null ? null : title} {...exploration} />
            ))}
            <ClosedFacets
              title={t.labelled(title, t.moreFacets(closed.length))}
              paths={closed}
              {...exploration}
            />
          </details>
        );
      })}
      {order.length === 0 && <p className="quiet">{t.noFacetMatches(text)}</p>}
    </div>
  );
};

interface FacetOfProps extends Exploration {
  readonly path: string;
  /** The name in the heading above for the objects that it counts; null: there is no such heading. */
  readonly object: string | null;
}

/** The facet of a field; empty if it does not exist. */
export const FacetOf = ({ path, object, ...exploration }: FacetOfProps) => {
  const { catalogue, overview, view, extents, edit, showMore } = exploration;
  const field = catalogue.fields.get(path);
  if (field === undefined) return null;
  return (
    <FacetBox
      {...{ path, object, field, catalogue, view, extents, edit, showMore }}
      facet={overview?.facets.get(path)}
      nothing={whyNothing(exploration)}
      total={overview?.total ?? null}
    />
  );
};

/** For a facet that has no numbers. */
const whyNothing = ({ overview, isStale, hasFailed }: Exploration): Nothing => {
  if (hasFailed) return 'failed';
  if (overview === null || isStale || overview.areRangesAwaited === true) return 'loading';
  if (overview.total === null) return 'failed';
  return overview.nodes.filter(hasAnswered).every(({ disclosure }) => disclosure !== null)
    ? 'withheld'
    : 'none';
};

/** Facets by name, until they are opened. */
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

/** The institutions that have a field, if not all do: two institutions may use one name for different things. */
const OnlyAt = ({ catalogue, path }: { readonly catalogue: Catalogue; readonly path: string }) => {
  const nodes = catalogue.fields.get(path)?.nodes ?? null;
  if (nodes === null || nodes.length > 2 || nodes.length === catalogue.nodes.length) return null;
  return (
    <span className="quiet small">
      {nodes.map((nodeId) => shortName(nameOfNode(catalogue, nodeId))).join(', ')}
    </span>
  );
};
