import type { CSSProperties } from 'react';

interface FindFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The label, if unset. */
  readonly placeholder?: string;
  readonly style?: CSSProperties;
}

/** The input for searching a list. */
export const FindField = ({ label, text, onText, placeholder = label, style }: FindFieldProps) => (
  <input
    className="field"
    {...{ style, placeholder }}
    type="search"
    aria-label={label}
    value={text}
    onChange={(event) => onText(event.target.value)}
  />
);
