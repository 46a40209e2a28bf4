import { useState } from 'react';

interface PictureProps {
  readonly address: string;
  readonly alt: string;
  /** Called when it cannot be shown. */
  readonly onBroken: (address: string) => void;
}

/** A picture from its host, which learns nothing of the page that shows it. */
export const Picture = ({ address, alt, onBroken }: PictureProps) => (
  <img
    className="picture"
    referrerPolicy="no-referrer"
    loading="lazy"
    decoding="async"
    alt={alt}
    src={address}
    onError={() => onBroken(address)}
  />
);

/** The pictures that turned out to be broken: what shows them leaves them out. */
export const useBroken = () => {
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const onBroken = (address: string): void => setBroken((before) => new Set(before).add(address));
  return { isBroken: (address: string) => broken.has(address), onBroken };
};
