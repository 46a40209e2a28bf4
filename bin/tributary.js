#!/usr/bin/env -S node --max-semi-space-size=4
// The flag keeps the short-lived rows of long downloads from growing the heap: the young part stays at 4 MiB.
// Plain JavaScript that old versions of Node can run too, so that they can say what is missing.
const needed = 24;
const found = Number(process.versions.node.split('.')[0]);
if (found < needed) {
  console.error(
    `tributary needs Node.js ${needed} or newer; this is ${process.versions.node}. See https://nodejs.org`,
  );
  process.exitCode = 1;
} else {
  import('../dist/main.js');
}
