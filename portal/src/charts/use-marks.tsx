import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

interface MarksOptions {
  readonly count: number;
  /** The content of the card next to a mark. */
  readonly card: (at: number) => ReactNode;
  /** The action of a mark; unset: none. */
  readonly onAct?: ((at: number) => void) | undefined;
  /** The action for a range of marks selected by dragging, or with Shift and an arrow; unset: none. */
  readonly onStretch?: ((first: number, last: number) => void) | undefined;
  /** The action of a double click, or Delete. */
  readonly onClear?: (() => void) | undefined;
}

/** The first and the last of a range of marks. */
export type Stretch = readonly [first: number, last: number];

interface Shown {
  readonly at: number;
  readonly left: number;
  readonly top: number;
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const cardWidth = 260;

/**
 * The marks of a chart: one tab stop with arrow keys between them, each with a card on hover, focus and touch. A first touch
 * shows the card, a second one acts.
 */
export const useMarks = ({ count, card, onAct, onStretch, onClear }: MarksOptions) => {
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const [stop, setStop] = useState(0);
  const [shown, setShown] = useState<Shown | null>(null);
  const [dragged, setDragged] = useState<Stretch | null>(null);
  // between two renderings of a busy page, the pointer may enter marks and be released
  const latest = useRef<Stretch | null>(null);
  const isDragging = useRef(false);
  const touched = useRef<number | null>(null);
  const stretch: Stretch | null = dragged && [Math.min(...dragged), Math.max(...dragged)];
  const drag = (over: Stretch | null): void => {
    latest.current = over;
    setDragged(over);
  };
  useEffect(() => {
    const end = (): void => {
      if (!isDragging.current) return;
      isDragging.current = false;
      const over = latest.current;
      drag(null);
      if (over !== null && over[0] !== over[1]) onStretch?.(Math.min(...over), Math.max(...over));
    };
    window.addEventListener('pointerup', end);
    return () => window.removeEventListener('pointerup', end);
  });
  const show = (at: number, mark: Element): void => {
    const [outer, inner] = [frame.current!.getBoundingClientRect(), mark.getBoundingClientRect()];
    const middle = (inner.left + inner.right) / 2 - outer.left - cardWidth / 2;
    const left = Math.max(0, Math.min(middle, outer.width - cardWidth));
    setShown({ at, left, top: inner.bottom - outer.top + 6 });
  };
  const step = (by: number): number => Math.min(count - 1, Math.max(0, stop + by));
  const focus = (at: number): void =>
    frame.current?.querySelectorAll<SVGGElement>('[data-mark]')[at]?.focus();
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = steps[event.key];
    if (by !== undefined) {
      drag(event.shiftKey && onStretch ? [dragged?.[0] ?? stop, step(by)] : null);
      focus(step(by));
    } else if (event.key === 'Home' || event.key === 'End') focus(event.key === 'Home' ? 0 : count - 1);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (stretch !== null && onStretch) onStretch(...stretch);
      else onAct?.(stop);
      drag(null);
    } else if (event.key === 'Escape' && shown !== null) setShown(null);
    else if (event.key === 'Delete' && onClear) onClear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const markProps = (at: number, label: string) => ({
    className: 'mark',
    'data-mark': '',
    role: onAct === undefined ? 'img' : 'button',
    tabIndex: at === Math.min(stop, count - 1) ? 0 : -1,
    'aria-label': label,
    'aria-describedby': shown?.at === at ? id : undefined,
    onFocus: ({ currentTarget }: { readonly currentTarget: Element }) => {
      setStop(at);
      show(at, currentTarget);
    },
    onBlur: () => setShown(null),
    onPointerDown: (event: React.PointerEvent) => {
      if (event.pointerType === 'touch') event.currentTarget.releasePointerCapture(event.pointerId);
      touched.current = event.pointerType === 'touch' && shown?.at !== at ? at : null;
      isDragging.current = onStretch !== undefined && event.button === 0;
      if (isDragging.current) drag([at, at]);
    },
    onPointerEnter: ({ currentTarget }: React.PointerEvent) => {
      if (isDragging.current && latest.current !== null) drag([latest.current[0], at]);
      show(at, currentTarget);
    },
    onClick: () => {
      if (touched.current !== at) onAct?.(at);
      touched.current = null;
    },
  });
  return {
    markProps,
    stretch,
    frame: {
      ref: frame,
      className: 'marks',
      onPointerLeave: () => setShown(null),
      onPointerCancel: () => drag(null),
      onKeyDown,
      onDoubleClick: onClear,
    },
    card: shown !== null && shown.at < count && (
      <div
        id={id}
        role="tooltip"
        className="markcard"
        style={{ left: shown.left, top: shown.top, maxWidth: cardWidth }}
      >
        {card(shown.at)}
      </div>
    ),
  };
};
