import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../i18n/locale.tsx';

/** A text to copy. It can be selected too, if the clipboard is not available. */
export const Copied = ({
  label,
  text,
  isLong = false,
}: {
  readonly label: string;
  readonly text: string;
  /** Prose, which takes several lines. */
  readonly isLong?: boolean;
}) => {
  const { t } = useLocale();
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === text;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <div className="stack">
      <div className="row">
        <h3>{label}</h3>
        <Button
          className="plain"
          aria-label={`${t.copy}: ${label}`}
          onPress={() => void copy().catch(() => setCopied(null))}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
        <span className="away" role="status">
          {isCopied ? t.copied : ''}
        </span>
      </div>
      {isLong ? (
        <pre tabIndex={0} aria-label={label} className="wrapped">
          {text}
        </pre>
      ) : (
        <input
          className="field"
          readOnly
          value={text}
          aria-label={label}
          onFocus={(event) => event.target.select()}
        />
      )}
    </div>
  );
};
