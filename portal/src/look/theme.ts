import { store, stored } from './stored.ts';

/** The themes; `auto` follows the system. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The theme the visitor chose, else `auto`. */
export const currentTheme = (): Theme => themes.find((theme) => theme === stored('theme')) ?? 'auto';

/** Applies the chosen theme to the page; `auto` follows the system. */
export const applyTheme = (theme: Theme = currentTheme()): void => {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};

/** Stores a theme and applies it. */
export const chooseTheme = (theme: Theme): void => {
  store('theme', theme);
  applyTheme(theme);
};

/** Applies the accent colour that a consortium chose, which the server has checked for contrast. */
export const applyAccent = (accent: { readonly light: string; readonly dark: string } | undefined): void => {
  if (accent === undefined) return;
  document.documentElement.style.setProperty('--accent', `light-dark(${accent.light}, ${accent.dark})`);
};
