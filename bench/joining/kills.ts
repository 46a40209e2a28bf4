import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countAt, until, type Answer } from '../../test/whole/end-to-end/institutions.ts';
import { startNode, type RunningNode, type Settings } from '../../test/whole/end-to-end/processes.ts';
import { openProxy, type Proxy } from '../../test/capabilities/joining/proxies.ts';
import { freePort } from '../../test/listening.ts';
import { acceptedMember, emptyHub } from '../../test/whole/end-to-end/accepted-members.ts';

const counts: Readonly<Record<string, number>> = { oslo: 100, bergen: 30, tromso: 7 };
/** Of a node that gives no records, and says so. */
const absences = new Set(['disconnected', 'discovering', 'unreachable', 'timeout', 'circuitOpen', 'pending']);

/** Memory in MB and open files of a process. */
const stateOf = (pid: number): { readonly mb: number; readonly files: number } => {
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return { mb: Math.round(Number(kb) / 1024), files: readdirSync(`/proc/${pid}/fd`).length };
};

/** What is wrong with an answer; null: nothing. */
const faultOf = ({ hits, nodes }: Answer): string | null => {
  if (nodes.length !== Object.keys(counts).length) return `names ${nodes.length} nodes`;
  let sum = 0;
  for (const { nodeId, state, hits: own } of nodes) {
    if (state === 'ok' && own !== counts[nodeId]) return `${nodeId} is ok with ${own} records`;
    if (state !== 'ok' && !absences.has(state)) return `${nodeId} is ${state}`;
    if (state === 'ok') sum += own!;
  }
  // null: nobody has answered
  return sum === (hits.total ?? 0) ? null : `counts ${hits.total} of ${sum}`;
};

/** Kills members, a member's proxy and the hub while questions are answered; prints what was wrong, and what was held. */
export const showKills = async (kills: number): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-kills-'));
  const hubFolder = join(folder, 'hub');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const hubSettings = emptyHub(hubFolder, port);
  const proxyPort = await freePort();
  let proxy: Proxy = await openProxy({ credentials: 'a:b', listenAt: proxyPort });
  const settings: Record<string, Settings> = {};
  for (const [nodeId, count] of Object.entries(counts)) {
    const env: Settings = nodeId === 'tromso' ? { HTTP_PROXY: `http://a:b@127.0.0.1:${proxyPort}` } : {};
    settings[nodeId] = await acceptedMember(folder, nodeId, count, {
      hubs: [{ name: 'hub', folder: hubFolder, url }],
      env,
    });
  }
  let hub = await startNode(hubSettings);
  const members = new Map<string, RunningNode>();
  for (const [nodeId, one] of Object.entries(settings)) members.set(nodeId, await startNode(one));

  const faults = new Map<string, number>();
  const states = new Map<string, number>();
  let [answers, unanswered, isDone] = [0, 0, false];
  const runQuery = async (): Promise<void> => {
    while (!isDone) {
      try {
        const answer = await countAt(url);
        answers += 1;
        const fault = faultOf(answer);
        if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1);
        for (const { state } of answer.nodes) states.set(state, (states.get(state) ?? 0) + 1);
      } catch {
        unanswered += 1;
      }
      await sleep(20);
    }
  };
  const isWhole = async (): Promise<boolean> =>
    (await countAt(url)).nodes.every(({ state }) => state === 'ok');
  await until(isWhole);
  const asking = Promise.all([runQuery(), runQuery(), runQuery()]);

  const nodeIds = Object.keys(counts);
  const ofMembers = Math.floor(kills * 0.85);
  const held: string[] = [];
  const note = async (what: string, pid: number): Promise<void> => {
    await until(isWhole);
    await sleep(3_000);
    const { mb, files } = stateOf(pid);
    held.push(`${what}: ${mb} MB, ${files} files`);
  };
  await note('hub before', hub.pid);
  for (let kill = 0; kill < ofMembers; kill++) {
    await sleep(Math.random() * 300);
    if (kill % 4 === 3) {
      await proxy.stop();
      proxy = await openProxy({ credentials: 'a:b', listenAt: proxyPort });
    } else {
      const nodeId = nodeIds[kill % nodeIds.length]!;
      await members.get(nodeId)!.kill();
      members.set(nodeId, await startNode(settings[nodeId]!));
    }
    if (kill % 20 === 19) await note(`hub after ${kill + 1} kills`, hub.pid);
  }
  await note(`member before the hub's`, members.get('oslo')!.pid);
  for (let kill = ofMembers; kill < kills; kill++) {
    await sleep(Math.random() * 300);
    await hub.kill();
    hub = await startNode(hubSettings);
  }
  await note('member after', members.get('oslo')!.pid);
  isDone = true;
  await asking;
  await hub.stop();
  for (const member of members.values()) await member.stop();
  await proxy.stop();
  rmSync(folder, { recursive: true });
  const listed = [...states].map(([state, count]) => `${state} ${count}`).join(', ');
  console.log(
    `${kills} kills (${kills - ofMembers} of the hub): ${answers} answers, ${unanswered} questions while there was no hub`,
  );
  console.log(`  nodes in answers: ${listed}`);
  for (const line of held) console.log(`  ${line}`);
  const wrong = [...faults].map(([fault, count]) => `${count} x ${fault}`).join('; ');
  console.log(`  wrong answers: ${wrong === '' ? 'none' : wrong}`);
  return faults.size === 0;
};
