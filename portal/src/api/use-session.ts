import { useSyncExternalStore } from 'react';
import { currentSession, followSession, type Session } from './session.ts';

/** The session, for a component that follows its changes. */
export const useSession = (): Session => useSyncExternalStore(followSession, currentSession);
