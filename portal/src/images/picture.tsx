import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/server.ts';
import { fetchPicture } from './images.ts';

interface PictureProps {
  /** Below the API; undefined: the record has none. */
  readonly path: string | undefined;
  readonly alt: string;
  /** What the record is, which stands in place of the picture; null: the initial of `alt` does. */
  readonly kind: string | null;
  /** What stands in place of a picture that cannot be shown; default: as for a record without one. */
  readonly instead?: ((reason: string) => React.ReactNode) | undefined;
}

/** A picture as the server passes it on, with the visitor's token; or what the record is. */
export const Picture = ({ path, alt, kind, instead }: PictureProps) => {
  const { data, error } = useQuery({
    queryKey: ['picture', path],
    queryFn: ({ signal }) => fetchPicture(path!, signal),
    enabled: path !== undefined,
    // a failure is shown as one, and remembered by the server for a while
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
