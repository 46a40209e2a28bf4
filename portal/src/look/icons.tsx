/** Icons drawn as lines in a 24 × 24 square: next to a word, or named by their button. */
const icon = (drawing: string) => () => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden>
    <path d={drawing} />
  </svg>
);

export const AgainIcon = icon('M20 5v5h-5M19.4 10A8 8 0 1 0 20 13');
export const CheckIcon = icon('M5 12.5l4.5 4.5L19 7.5');
export const CloseIcon = icon('M6 6l12 12M18 6L6 18');
export const ColumnsIcon = icon('M4 5h16v14H4zM9.3 5v14M14.7 5v14');
export const CohortIcon = icon('M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4');
export const DownIcon = icon('M12 5v14M6 13l6 6 6-6');
export const DownloadIcon = icon('M12 4v11M7 10.5l5 5 5-5M4 20h16');
export const MinusIcon = icon('M6 12h12');
export const SearchIcon = icon('M18 11a7 7 0 1 1-14 0a7 7 0 1 1 14 0M16 16l5 5');
export const ShareIcon = icon(
  'M8.5 13L15.5 17M15.5 7L8.5 11M8.5 12a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0' +
    'M20.5 6a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0M20.5 18a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0',
);
export const UndoIcon = icon('M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4');
export const UpIcon = icon('M12 19V5M6 11l6-6 6 6');
