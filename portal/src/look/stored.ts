type Key = 'language' | 'theme' | 'cohorts';

/** A choice of the visitor, stored in this browser; without storage it lasts as long as the page. */
export const stored = (key: Key): string | null => {
  try {
    return localStorage.getItem(`tributary.${key}`);
  } catch {
    return null;
  }
};

/** Stores a choice for `stored`. @returns false if the browser stores nothing, or is out of space */
export const store = (key: Key, value: string): boolean => {
  try {
    localStorage.setItem(`tributary.${key}`, value);
    return true;
  } catch {
    return false;
  }
};
