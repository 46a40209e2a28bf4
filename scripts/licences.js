import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licence text for packages that only say "MIT" and include none. */
const mit = (holder) => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * A package's licence and notices, below its name.
 * @param folder of the package
 * @throws Error for a package without the text of its licence: its terms could not be kept
 */
export const licenceText = (folder) => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((one) => /^(licen[cs]e|copying|notice)/i.test(one));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) {
    if (license !== 'MIT')
      throw new Error(`${name} comes without the text of its licence (${JSON.stringify(license)})`);
    texts.push(mit(author?.name ?? author ?? `the authors of ${name}`));
  }
  const title = `${name} ${version} (${license})`;
  return [title, '-'.repeat(title.length), ...texts, ''].join('\n');
};

/** The packages whose licences are in a text made by {@link licenceText}. */
export const embeddedPackages = (text) =>
  [...text.matchAll(/^(\S+) (\d\S*) \((.+)\)\n-+$/gm)].map(([, name, version, license]) => ({
    name,
    version,
    license,
  }));
