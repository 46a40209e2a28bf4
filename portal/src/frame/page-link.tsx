import type { MouseEvent, ReactNode } from 'react';
import { addressOfPage, go, type PageName } from '../state/navigation.ts';
import type { View } from '../state/view.ts';

interface PageLinkProps {
  readonly page: PageName;
  readonly view?: View;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly label?: string;
  readonly children: ReactNode;
}

/** A real link, so that it opens in a new tab too; a plain click stays on the page. */
export const PageLink = ({ page, view = {}, className, isCurrent, label, children }: PageLinkProps) => {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    go(page, view);
  };
  return (
    <a
      href={addressOfPage(page, view)}
      onClick={follow}
      {...(className === undefined ? {} : { className })}
      {...(isCurrent === true ? { 'aria-current': 'page' as const } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </a>
  );
};
