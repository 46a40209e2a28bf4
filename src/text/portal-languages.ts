/** The languages of the portal, as each calls itself: those of its texts, and of the names that portal.json gives. */
export const portalLanguages = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;
