import { readFileSync } from 'node:fs';
import test from 'ava';

/** What a file imports when it is loaded, and not when it first needs it; types are erased. */
const importsOf = (source: string): readonly string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';|^import '([^']+)';/gms)].map(
    ([, from, alone]) => from ?? alone!,
  );

/** Everything that is loaded with a file: files of the source by their addresses, packages by their names. */
const loadedWith = (start: URL): ReadonlySet<string> => {
  const found = new Set<string>();
  const next = [start.href];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    if (!at.startsWith('file:')) continue;
    for (const name of importsOf(readFileSync(new URL(at), 'utf8')))
      next.push(name.startsWith('.') ? new URL(name, at).href : name);
  }
  return found;
};

test('nothing of a door is loaded before its first request, nor traces before they are on', (t) => {
  const source = new URL('../../src/', import.meta.url);
  const loaded = [...loadedWith(new URL('cli/start/start.ts', source))].map((one) =>
    one.replace(source.href, ''),
  );
  t.true(loaded.includes('doors/doors.ts') && loaded.includes('http/doors/serve-door.ts'), loaded.join(' '));
  t.deepEqual(
    loaded.filter((one) =>
      /^doors\/(?!doors\.ts)|^runtime\/tracing\.ts$|^http\/ops\/metrics\.ts$|^n3$|^@modelcontextprotocol/.test(
        one,
      ),
    ),
    [],
  );
  t.true([...loadedWith(new URL('doors/mcp/mcp.ts', source))].includes('@modelcontextprotocol/server'));
});
