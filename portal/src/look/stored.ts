type Key = 'language' | 'theme' | 'cohorts';

/** What the visitor chose, kept in this browser; without storage it lasts as long as the page. */
export const stored = (key: Key): string | null => {
  try {
    return localStorage.getItem(`tributary.${key}`);
  } catch {
    return null;
  }
};

/** Stores a choice for `stored`. */
export const store = (key: Key, value: string): void => {
  try {
    localStorage.setItem(`tributary.${key}`, value);
  } catch {
    // a browser that keeps nothing
  }
};
