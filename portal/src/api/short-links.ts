import type { View } from '../state/view.ts';
import { getJson, request } from './server.ts';

/** Stores a view on the server. @returns its id @throws ApiError */
export const keepView = async (view: View): Promise<string> => {
  const response = await request('portal/links', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(view),
  });
  return ((await response.json()) as { id: string }).id;
};

/** The stored view. @throws ApiError when it was evicted by newer ones */
export const findView = (id: string): Promise<View> =>
  getJson<View>(`portal/links/${encodeURIComponent(id)}`);
