import { useEffect, useRef, type HTMLAttributes, type KeyboardEvent, type RefObject } from 'react';

interface ArrowListProps extends HTMLAttributes<HTMLDivElement> {
  /** The selector of its items. */
  readonly items: string;
}

/** One tab stop for a whole list: arrows, Home and End move between its items. */
export const ArrowList = ({ items, onKeyDown, ...attributes }: ArrowListProps) => {
  const list = useRef<HTMLDivElement>(null);
  useOneStop(list, items);
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const next = nextOf(itemsIn(list.current, items), event);
    if (next === undefined) return onKeyDown?.(event);
    event.preventDefault();
    next.focus();
  };
  return <div ref={list} {...attributes} onKeyDown={move} />;
};

const itemsIn = (list: HTMLElement | null, selector: string): readonly HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(selector) ?? []),
];

const nextOf = (items: readonly HTMLElement[], { key, target }: KeyboardEvent): HTMLElement | undefined => {
  const at = items.indexOf(target as HTMLElement);
  if (at === -1) return undefined;
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'ArrowDown') return items[at + 1];
  return key === 'ArrowUp' && at > 0 ? items[at - 1] : undefined;
};

/** Items change with every answer; the item that last had the focus keeps the tab stop. */
const useOneStop = (list: RefObject<HTMLDivElement | null>, selector: string): void => {
  useEffect(() => {
    const element = list.current!;
    const keep = (): void => {
      const items = itemsIn(element, selector);
      const stops = items.filter(({ tabIndex }) => tabIndex === 0);
      const focused = items.find((item) => item === document.activeElement);
      const stop = focused ?? (stops.length === 1 ? stops[0] : items[0]);
      for (const item of items) item.tabIndex = item === stop ? 0 : -1;
    };
    keep();
    const observer = new MutationObserver(keep);
    observer.observe(element, { childList: true, subtree: true });
    element.addEventListener('focusin', keep);
    return () => {
      observer.disconnect();
      element.removeEventListener('focusin', keep);
    };
  }, [list, selector]);
};
