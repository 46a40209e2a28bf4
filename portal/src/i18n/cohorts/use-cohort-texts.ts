import { usePartTexts } from '../locale.tsx';
import { de } from './de.ts';
import { en, type CohortTexts } from './en.ts';
import { fr } from './fr.ts';

/** The texts of cohorts and their comparison in the current language. */
export const useCohortTexts = (): CohortTexts => usePartTexts({ en, fr, de });
