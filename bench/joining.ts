/**
 * Prints the table "To show" of members that dial in.
 *
 *   node bench/joining.ts [closed] [tunnel] [members] [kills]     default: all; KILLS=100
 */
import { loadavg } from 'node:os';
import { showKills } from './joining/kills.ts';
import { showClosed } from './joining/closed.ts';
import { showTunnelCost } from './joining/tunnel-cost.ts';
import { sized } from './size.ts';
import { showMembers } from './joining/many-members.ts';

const wanted = new Set(process.argv.slice(2));
const parts: Readonly<Record<string, () => Promise<boolean>>> = {
  closed: showClosed,
  tunnel: showTunnelCost,
  members: showMembers,
  kills: () => showKills(Number(process.env['KILLS'] ?? sized(100, 2))),
};

let isWell = true;
for (const [name, show] of Object.entries(parts)) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  console.log(`--- ${name}`);
  isWell = (await show()) && isWell;
}
console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
process.exit(isWell ? 0 : 1);
