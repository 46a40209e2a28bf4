import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/server.ts';
import { fetchPicture } from './images.ts';

interface PictureProps {
  /** The path below the API; undefined: the record has no picture. */
  readonly path: string | undefined;
  readonly alt: string;
  /** The kind of record, shown without a picture; null: the initial of `alt` is shown. */
  readonly kind: string | null;
  /** The replacement for a picture that cannot be shown; default: as for a record without one. */
  readonly instead?: ((reason: string) => React.ReactNode) | undefined;
}

/** A picture as the server passes it on, with the visitor's token; otherwise the kind of record. */
export const Picture = ({ path, alt, kind, instead }: PictureProps) => {
  const { data, error } = useQuery({
    queryKey: ['picture', path],
    queryFn: ({ signal }) => fetchPicture(path!, signal),
    enabled: path !== undefined,
    // a failure is shown as such, and the server remembers it for a while
    retry: false,
    staleTime: Infinity,
  });
  const url = useObjectUrl(data);
  if (url !== null) return <img className="picture" src={url} alt={alt} />;
  if (instead !== undefined && error !== null)
    return instead(error instanceof ApiError ? error.message : String(error));
  return (
    <span
      className="picture none"
      {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
    >
      {path === undefined || error !== null ? (kind ?? initialOf(alt)) : ''}
    </span>
  );
};

const initialOf = (text: string): string => /[\p{L}\p{N}]/u.exec(text)?.[0].toUpperCase() ?? '·';

const useObjectUrl = (blob: Blob | undefined): string | null => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === undefined) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return url;
};
