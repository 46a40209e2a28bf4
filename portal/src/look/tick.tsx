import type { ReactNode } from 'react';

interface TickProps {
  readonly isTicked: boolean;
  readonly isDisabled?: boolean;
  /** Drawn in the box while it is ticked. */
  readonly mark: ReactNode;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A native checkbox: facets show hundreds of them, and every keyboard and reader knows them. */
export const Tick = ({ isTicked, isDisabled = false, mark, onToggle, children }: TickProps) => (
  <label className="value">
    <input type="checkbox" className="tick" checked={isTicked} disabled={isDisabled} onChange={onToggle} />
    <span className="box">{isTicked && mark}</span>
    {children}
  </label>
);
