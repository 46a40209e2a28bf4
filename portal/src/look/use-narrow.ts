import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 800px)');

const follow = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** Whether there is room for one column only, as on a phone; the style sheet uses the same width. */
export const useNarrow = (): boolean => useSyncExternalStore(follow, () => narrow.matches);
