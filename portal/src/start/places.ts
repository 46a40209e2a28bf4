import type { Institution } from '../api/catalogue.ts';

/** A part of the map: degrees east of -180 and south of the north pole. */
export interface MapPart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A place on the map: the distance from its left and upper edge, as shares. */
export interface Spot {
  /** Those that would overlap. */
  readonly institutions: readonly Institution[];
  readonly left: number;
  readonly top: number;
}

/** The inhabited world: there are no collections in Antarctica and the polar sea. */
const world: MapPart = { x: 0, y: 8, width: 360, height: 138 };
const leastWidth = 110;
/** Wider than high, like the world. */
const ratio = world.width / world.height;

/** The part of the world that shows all places with some sea around them. */
export const partWith = (institutions: readonly Institution[]): MapPart => {
  const points = institutions.flatMap(({ about }) => (about?.place ? [pointOf(about.place)] : []));
  if (points.length === 0) return world;
  const [west, east] = spanOf(points.map(({ x }) => x));
  const [north, south] = spanOf(points.map(({ y }) => y));
  const width = Math.min(world.width, Math.max(leastWidth, (east - west) * 2, (south - north) * 2 * ratio));
  const height = width / ratio;
  return {
    x: within((west + east - width) / 2, world.x, world.x + world.width - width),
    y: within((north + south - height) / 2, world.y, world.y + world.height - height),
    width,
    height,
  };
};

/** The spots of institutions on a part of the map; those without a place are left out. */
export const spotsOn = (institutions: readonly Institution[], part: MapPart): readonly Spot[] => {
  const spots: { readonly x: number; readonly y: number; readonly at: Institution[] }[] = [];
  for (const institution of institutions) {
    const { place } = institution.about ?? {};
    if (place === undefined) continue;
    const { x, y } = pointOf(place);
    const near = spots.find((spot) => Math.hypot(spot.x - x, spot.y - y) < part.width * nearness);
    if (near === undefined) spots.push({ x, y, at: [institution] });
    else near.at.push(institution);
  }
  return spots.map(({ x, y, at }) => ({
    institutions: at,
    left: (x - part.x) / part.width,
    top: (y - part.y) / part.height,
  }));
};

/** Spots closer than this share of the width would overlap. */
const nearness = 0.025;

const pointOf = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) => ({
  x: longitude + 180,
  y: 90 - latitude,
});

const spanOf = (values: readonly number[]): readonly [number, number] => [
  Math.min(...values),
  Math.max(...values),
];

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
