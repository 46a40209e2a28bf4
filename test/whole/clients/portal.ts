import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page, Response } from 'playwright-core';

/** One row of the table: what its cells show, by column. */
export type Row = Readonly<Record<string, string>>;

/** A request of the components and what came back. */
interface Exchange {
  readonly path: string;
  readonly status: number;
  readonly sent: string;
  readonly problem: string | null;
}

/** A busy machine may take long to draw what follows a click; only what fails waits so long. */
const patienceMs = 60_000;

/** Reads again and again until the page shows what is expected. @throws when it does not */
export const shows = async <Value>(read: () => Promise<Value>, expected: NoInfer<Value>): Promise<void> => {
  const endMs = Date.now() + patienceMs;
  let value = await read();
  while (!isDeepStrictEqual(value, expected) && Date.now() < endMs) {
    await new Promise((done) => setTimeout(done, 50));
    value = await read();
  }
  assert.deepEqual(value, expected);
};

/** The page in the browser, as a person uses it. */
export class Portal {
  readonly exchanges: Exchange[] = [];
  readonly complaints: string[] = [];
  readonly page: Page;
  readonly #apiUrl: string;
  readonly #notes: Promise<void>[] = [];
  #pending = 0;
  #changes = 0;

  constructor(page: Page, apiUrl: string) {
    this.page = page;
    this.#apiUrl = apiUrl;
    const counting = (by: number) => () => {
      this.#pending += by;
      this.#changes += 1;
    };
    page.on('request', counting(1));
    page.on('requestfinished', counting(-1));
    page.on('requestfailed', counting(-1));
    page.on('response', (response) => this.#notes.push(this.#note(response)));
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  async #note(response: Response): Promise<void> {
    const url = response.url();
    if (!url.startsWith(this.#apiUrl) || response.request().method() === 'OPTIONS') return;
    const path = url.slice(this.#apiUrl.length);
    const problem = path.startsWith('/graphql') ? await response.text().then(problemOf, String) : null;
    const sent = response.request().postData() ?? '';
    this.exchanges.push({ path, status: response.status(), sent, problem });
  }

  /**
   * Waits until no request is under way and none follows the components' own pauses of 300 ms, by the page's clock, and the
   * page has nothing left to do.
   */
  async settled(): Promise<void> {
    let changes: number;
    do {
      changes = this.#changes;
      await this.page.evaluate(
        () => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 500)),
      );
    } while (this.#pending > 0 || this.#changes !== changes);
  }

  /** @throws when an answer was no 200, held errors or could not be read, or when the page complained */
  async expectNoProblems(): Promise<void> {
    await Promise.all(this.#notes);
    const bad = this.exchanges.filter(({ status, problem }) => status !== 200 || problem !== null);
    assert.deepEqual(bad, [], 'every request was answered with 200 and without errors');
    assert.deepEqual(this.complaints, [], 'the page has nothing to complain about');
  }

  facet(field: string): Locator {
    return this.page.locator(`.aggregation-group[data-fieldname="${field}"]`);
  }

  /** The values a facet shows, with their counts. */
  async counts(field: string): Promise<Readonly<Record<string, number>>> {
    const more = this.facet(field).locator('.showMore-wrapper.more');
    if (await more.count()) await more.click();
    const entries = await this.facet(field)
      .locator('.bucket-item')
      .evaluateAll((items) =>
        items.map(
          (item) =>
            [item.querySelector('input')!.id, item.querySelector('.bucket-count')!.textContent] as const,
        ),
      );
    const prefix = `input-${field}-`;
    return Object.fromEntries(entries.map(([id, count]) => [id.slice(prefix.length), numberOf(count)]));
  }

  async choose(field: string, value: string): Promise<void> {
    await this.facet(field).locator(`[id="input-${field}-${value}"]`).click();
    await this.settled();
  }

  /** Drags a handle of a range to a part of the way between its ends; the value that is then shown for it. */
  async dragHandle(field: string, end: 'min' | 'max', part: number): Promise<number> {
    const facet = this.facet(field);
    // The handle moved last comes first in the page: only where they stand tells them apart.
    const places = await Promise.all((await facet.getByRole('slider').all()).map(middleOf));
    const [left, right] = places.toSorted((one, other) => one.x - other.x);
    const from = end === 'min' ? left! : right!;
    const track = (await facet.locator('.input-range__track--background').boundingBox())!;
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(track.x + track.width * part, from.y, { steps: 5 });
    await this.page.mouse.up();
    await this.settled();
    return numberIn(facet.locator(`.RangeLabel.top.${end === 'min' ? 'left' : 'right'}`));
  }

  async pickDate(field: string, end: 'start' | 'end', date: string): Promise<void> {
    const input = this.facet(field).locator(`input.${end}-date`);
    await input.fill(date);
    await input.press('Enter');
    await input.press('Escape');
    await this.settled();
  }

  /** The number of documents above the table, once one stands there: while rows come in it may only name a range. */
  async total(): Promise<number> {
    const shown = this.page.locator('.currentlyDisplayed');
    const total = shown.locator('.ofTotal').or(shown.locator('.numbers')).last();
    await total.filter({ hasText: /^\D*[\d,]+\D*$/ }).waitFor();
    return numberIn(total);
  }

  async rows(): Promise<readonly Row[]> {
    return this.page.locator('tr.Row').evaluateAll((rows) =>
      rows.map((row) => {
        const cells = [...row.querySelectorAll<HTMLElement>('td.cell:not([data-accessor="select"])')];
        return Object.fromEntries(cells.map((cell) => [cell.dataset.accessor, cell.textContent]));
      }),
    ) as Promise<Row[]>;
  }

  async column(accessor: string): Promise<readonly string[]> {
    return (await this.rows()).map((row) => row[accessor]!);
  }

  async sortBy(accessor: string): Promise<'asc' | 'desc' | 'none'> {
    const header = this.page.locator(`th[data-accessor="${accessor}"]`);
    await header.click();
    await this.settled();
    const names = (await header.getAttribute('class'))!.split(' ');
    return names.includes('asc') ? 'asc' : names.includes('desc') ? 'desc' : 'none';
  }

  async turnTo(button: 'first' | 'previous' | 'next' | 'last'): Promise<void> {
    await this.page.locator(`.PageSelector button.${button}`).click();
    await this.settled();
  }

  async search(text: string): Promise<readonly string[]> {
    await this.page.getByPlaceholder('Quick Search').fill(text);
    await this.settled();
    return this.page.locator('.quick-search-result').allInnerTexts();
  }

  async chooseAllColumns(): Promise<void> {
    await this.page.getByLabel('Open column selection menu').click();
    await this.page.getByLabel('Select all columns').click();
    await this.settled();
    await this.page.getByLabel('Close column selection menu').click();
  }

  /** Presses the download button; the lines of the file it leads to, cells apart. */
  async download(): Promise<{ readonly name: string; readonly lines: readonly (readonly string[])[] }> {
    const [file] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.locator('button.DownloadButton').click(),
    ]);
    const content = await text(await file.createReadStream());
    const lines = content.replace(/\n$/, '').split('\n');
    return { name: file.suggestedFilename(), lines: lines.map((line) => line.split('\t')) };
  }
}

const problemOf = (body: string): string | null => {
  try {
    const { errors } = JSON.parse(body) as { readonly errors?: unknown };
    return errors === undefined ? null : JSON.stringify(errors);
  } catch {
    return `no JSON: ${body}`;
  }
};

const middleOf = async (place: Locator): Promise<{ readonly x: number; readonly y: number }> => {
  const { x, y, width, height } = (await place.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

const numberOf = (shown: string): number => Number(shown.replaceAll(/[^\d.-]/g, ''));

const numberIn = async (place: Locator): Promise<number> => numberOf(await place.innerText());
