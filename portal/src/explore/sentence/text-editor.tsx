import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';

/** An editor for one text. */
export const TextEditor = ({
  text,
  onApply,
}: {
  readonly text: string;
  readonly onApply: (text: string) => void;
}) => {
  const { t } = useLocale();
  const [next, setNext] = useState(text);
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (next.trim() !== '') onApply(next.trim());
      }}
    >
      <label>
        {t.words}
        <input className="field" autoFocus value={next} onChange={(event) => setNext(event.target.value)} />
      </label>
      <Button className="plain main" type="submit">
        {t.apply}
      </Button>
    </form>
  );
};
