/** Names a catalogue wherever it is met: its server's key and its id. */
export const catalogueKey = (serverKey: string, catalogueId: string): string =>
  `${serverKey}/${encodeURIComponent(catalogueId)}`;
