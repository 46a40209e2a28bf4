import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The outline of the continents as one SVG path: x is degrees east of -180, y degrees south of the north pole, to half
 * a degree. Natural Earth 1:110m, public domain, from the TopoJSON of world-atlas.
 */
const outlinePath = () => {
  const file = fileURLToPath(import.meta.resolve('world-atlas/land-110m.json'));
  const { arcs, objects, transform } = JSON.parse(readFileSync(file, 'utf8'));
  const [scaleX, scaleY] = transform.scale;
  const [x0, y0] = transform.translate;
  const pointsOf = (arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [rounded(x * scaleX + x0 + 180), rounded(90 - (y * scaleY + y0))];
    });
  };
  const lines = arcs.map(pointsOf);
  // a negative number names an arc that is walked backwards
  const lineOf = (at) => (at < 0 ? lines[~at].toReversed() : lines[at]);
  const polygons = objects.land.geometries.flatMap((one) => (one.type === 'Polygon' ? [one.arcs] : one.arcs));
  return polygons
    .flat()
    .flatMap((ring) => bothSides(distinct(unwrapped(ring.flatMap(lineOf)))))
    .filter((points) => points.length > 3)
    .map((points) => `M${points.map((point) => point.join(' ')).join('L')}Z`)
    .join('');
};

/** A ring over the antimeridian goes on beyond the edge of the map instead of back across all of it. */
const unwrapped = (points) => {
  let turn = 0;
  return points.map(([x, y], at) => {
    const step = at === 0 ? 0 : x - points[at - 1][0];
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    return [x + turn, y];
  });
};

/** What goes on beyond an edge comes in at the other one. */
const bothSides = (points) => {
  const xs = points.map(([x]) => x);
  const shifts = [0, ...(Math.max(...xs) > 360 ? [-360] : []), ...(Math.min(...xs) < 0 ? [360] : [])];
  return shifts.map((shift) => points.map(([x, y]) => [x + shift, y]));
};

const rounded = (degrees) => Math.round(degrees * 2) / 2;

const distinct = (points) =>
  points.filter(([x, y], at) => at === 0 || x !== points[at - 1][0] || y !== points[at - 1][1]);

const name = 'virtual:outline';

/** Provides `virtual:outline`: the path as its default export. */
export const outlinePlugin = () => ({
  name: 'outline',
  resolveId: (id) => (id === name ? `\0${name}` : null),
  load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(outlinePath())}` : null),
});
