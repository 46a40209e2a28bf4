import { useSyncExternalStore } from 'react';
import { currentPlace, followPlace, type Place } from './navigation.ts';

/** The current page and view, for a component that follows navigation. */
export const usePlace = (): Place => useSyncExternalStore(followPlace, currentPlace);
