import outline from 'virtual:outline';
import type { Catalogue } from '../api/catalogue.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { colourOf } from '../look/node-colours.ts';
import type { View } from '../state/view.ts';
import { partWith, spotsOn } from './places.ts';

/** The map of the institutions; each links to its page, several at one place to the list. */
const PlaceMap = ({ catalogue, view }: { readonly catalogue: Catalogue; readonly view: View }) => {
  const { t } = useLocale();
  const part = partWith(catalogue.nodes);
  const { x, y, width, height } = part;
  return (
    <section className="map" aria-label={t.places}>
      <svg viewBox={`${x} ${y} ${width} ${height}`} aria-hidden>
        <path d={outline} fill="var(--line)" />
      </svg>
      <ul>
        {spotsOn(catalogue.nodes, part).map(({ institutions, left, top }) => {
          const [first, ...others] = institutions;
          const { nodeId, about } = first!;
          const place = about?.place?.name;
          const names = institutions.map(({ name }) => name);
          return (
            <li key={nodeId} style={{ left: `${100 * left}%`, top: `${100 * top}%` }}>
              <PageLink
                page="network"
                view={others.length > 0 ? view : { ...view, node: nodeId }}
                label={[...names, ...(place === undefined ? [] : [place])].join(', ')}
                title={names.join(', ')}
              >
                <span className="spot" style={{ background: colourOf(catalogue, nodeId) }} />
                {place !== undefined && <small>{place}</small>}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

export default PlaceMap;
