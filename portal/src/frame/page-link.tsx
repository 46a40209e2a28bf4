import { useState, type MouseEvent, type ReactNode } from 'react';
import { isLong } from '../state/link.ts';
import { addressOfPage, go, type PageName } from '../state/navigation.ts';
import type { View } from '../state/view.ts';

interface PageLinkProps {
  readonly page: PageName;
  readonly view?: View;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly label?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A real link, so that it opens in a new tab too; a plain click stays on the page. */
export const PageLink = ({
  page,
  view = {},
  className,
  isCurrent,
  label,
  title,
  children,
}: PageLinkProps) => {
  const [isNear, setNear] = useState(false);
  // a screen of rows would encode thousands of values a row into links that are never followed
  const address = addressOfPage(page, isNear || !isLong(view) ? view : withoutFilters(view));
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    go(page, view);
  };
  return (
    <a
      href={address}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onClick={follow}
      {...(className === undefined ? {} : { className })}
      {...(isCurrent === true ? { 'aria-current': 'page' as const } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(title === undefined ? {} : { title })}
    >
      {children}
    </a>
  );
};

const withoutFilters = ({ filters: _filters, ...view }: View): View => view;
