import { test } from 'node:test';
import { Portal } from './portal.ts';
import { theStage, type ShownPortal } from './the-stage.ts';
import { openWindow } from './window.ts';

/** A check of the page that shows the donors, of one catalogue and of a network of three. */
export const inEachPortal = (name: string, steps: (portal: Portal) => Promise<void>): void => {
  for (const [source, apiUrl] of Object.entries(theStage().donors))
    test(`${source}: ${name}`, () =>
      inPortal(
        {
          apiUrl,
          documentType: 'donor',
          rowId: 'donor_id',
          quickSearch: ['donor_id', 'specimens.samples.sample_id'],
        },
        steps,
      ));
};

/** Opens the page anew, does the steps, and checks in the end that no request went wrong. */
export const inPortal = async (
  { apiUrl, documentType, rowId, quickSearch }: ShownPortal,
  steps: (portal: Portal) => Promise<void>,
): Promise<void> => {
  const window = await openWindow();
  try {
    const page = await window.newPage();
    const portal = new Portal(page, apiUrl);
    const shown = { api: apiUrl, documentType, rowId, quickSearch: quickSearch.join(',') };
    await page.goto(`${theStage().pageUrl}?${new URLSearchParams(shown)}`);
    await page.locator('.aggregation-group').first().waitFor();
    await portal.settled();
    await steps(portal);
    await portal.expectNoProblems();
  } finally {
    await window.close();
  }
};
