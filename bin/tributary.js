#!/usr/bin/env -S node --max-semi-space-size=4
// The flag keeps the short-lived rows of long downloads from growing the heap: the young part stays at 4 MiB.
// A CommonJS file that every version of Node can read, so that an old one can say what is missing.
var existsSync = require('fs').existsSync;
var join = require('path').join;

var needed = 24;
var found = process.versions.node;
if (Number(found.split('.')[0]) < needed) {
  console.error(
    [
      'tributary needs Node.js ' + needed + ' or newer, and this is ' + found + '. Either',
      '  - install a newer one: https://nodejs.org, or "nvm install ' + needed + '", and run this again; or',
      '  - in a checkout: "npm ci" brings one along, which "npm start" and "npm run tributary -- COMMAND" use.',
    ].join('\n'),
  );
  process.exitCode = 1;
} else {
  // a checkout that was not built runs from its sources
  var built = join(__dirname, '../dist/main.js');
  void import(existsSync(built) ? '../dist/main.js' : '../src/main.ts');
}
