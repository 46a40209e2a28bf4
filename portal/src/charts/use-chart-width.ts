import { useSyncExternalStore } from 'react';

const telephone = '(max-width: 480px)';
const [usual, narrow] = [420, 300];

/** How wide charts are drawn: they are scaled to their place, and on a telephone letters would become too small to read. */
export const useChartWidth = (): number => useSyncExternalStore(followScreen, widthHere);

const widthHere = (): number => (matchMedia(telephone).matches ? narrow : usual);

const followScreen = (listener: () => void): (() => void) => {
  const query = matchMedia(telephone);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};
