import test from 'ava';
import { partWith, spotsOn } from '../../../portal/src/start/places.ts';

const at = (nodeId: string, latitude: number, longitude: number) => ({
  nodeId,
  name: nodeId,
  about: { place: { latitude, longitude } },
});

test('a map shows all places, and stays within the world', (t) => {
  for (const places of [
    [at('london', 51.5, -0.1)],
    [at('london', 51.5, -0.1), at('pittsburgh', 40.4, -80)],
    [at('suva', -18.1, 178.4), at('anchorage', 61.2, -149.9)],
    [at('ushuaia', -54.8, -68.3), at('tromso', 69.6, 18.9)],
  ]) {
    const part = partWith(places);
    t.true(part.x >= 0 && part.x + part.width <= 360);
    t.true(part.y >= 8 && part.y + part.height <= 146.1);
    for (const { left, top } of spotsOn(places, part)) t.true(left > 0 && left < 1 && top > 0 && top < 1);
  }
});

test('institutions of one place have one spot', (t) => {
  const places = [at('tate', 51.5, -0.1), at('turner', 51.49, -0.13), at('none', 40, 10)];
  const spots = spotsOn([...places, { nodeId: 'nowhere', name: 'Nowhere' }], partWith(places));
  t.deepEqual(
    spots.map(({ institutions }) => institutions.map(({ nodeId }) => nodeId)),
    [['tate', 'turner'], ['none']],
  );
});
