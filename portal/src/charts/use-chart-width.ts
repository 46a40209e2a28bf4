import { useEffect, useState, useSyncExternalStore } from 'react';

const telephone = '(max-width: 480px)';
const [usual, narrow] = [420, 300];

/** The width of charts: they are scaled to fit, and on a phone letters would otherwise become too small to read. */
export const useChartWidth = (): number => useSyncExternalStore(followScreen, widthHere);

const widthHere = (): number => (matchMedia(telephone).matches ? narrow : usual);

const followScreen = (listener: () => void): (() => void) => {
  const query = matchMedia(telephone);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

const usualWidth = 1000;

/** The width of a chart that fills its container: its letters keep their size. */
export const useBoxWidth = (box: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(usualWidth);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, Math.round(entry!.contentRect.width - 30))),
    );
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width;
};
