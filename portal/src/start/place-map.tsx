import outline from 'virtual:outline';
import type { Catalogue } from '../api/catalogue.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { colourOf } from '../look/node-colours.ts';
import type { View } from '../state/view.ts';
import { partWith, spotsOn } from './places.ts';

/** The width of a spot with others next to it at one place. */
const besideRem = 1.6;

/** The map of the institutions; each links to its page. */
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
        {spotsOn(catalogue.nodes, part).map(
          ({ institution: { nodeId, name, about }, left, top, after, isLast }) => (
            <li
              key={nodeId}
              style={{ left: `calc(${100 * left}% + ${after * besideRem}rem)`, top: `${100 * top}%` }}
            >
              <PageLink
                page="network"
                view={{ ...view, node: nodeId }}
                label={about?.place?.name === undefined ? name : `${name}, ${about.place.name}`}
              >
                <span className="spot" style={{ background: colourOf(catalogue, nodeId) }} />
                {isLast && about?.place?.name !== undefined && <small>{about.place.name}</small>}
              </PageLink>
            </li>
          ),
        )}
      </ul>
    </section>
  );
};

export default PlaceMap;
