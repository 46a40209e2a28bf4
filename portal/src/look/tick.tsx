import { useRef, type MouseEvent, type ReactNode } from 'react';

interface TickProps {
  readonly isTicked: boolean;
  readonly isDisabled?: boolean;
  /** Drawn in the box while it is checked. */
  readonly mark: ReactNode;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A native checkbox: facets show hundreds of them, and every keyboard and screen reader supports them. */
export const Tick = ({ isTicked, isDisabled = false, mark, onToggle, children }: TickProps) => {
  const box = useRef<HTMLInputElement>(null);
  // A browser's own click from a label to its box looks to React Aria like a screen reader: it renders the whole table for
  // it, and again at the next mouse click.
  const press = (event: MouseEvent): void => {
    if (event.target === box.current || isDisabled) return;
    event.preventDefault();
    box.current?.focus({ preventScroll: true });
    onToggle();
  };
  return (
    <label className="value" onMouseDown={keepFocus} onClick={press}>
      <input
        ref={box}
        type="checkbox"
        className="tick"
        checked={isTicked}
        disabled={isDisabled}
        onChange={onToggle}
      />
      <span className="box">{isTicked && mark}</span>
      {children}
    </label>
  );
};

const keepFocus = (event: MouseEvent): void => event.preventDefault();
