import { access } from './capabilities/access/capability.ts';
import { agents } from './capabilities/agents/capability.ts';
import { audit } from './capabilities/audit/capability.ts';
import { beacon } from './capabilities/beacon/capability.ts';
import { disclosure } from './capabilities/disclosure/capability.ts';
import { fair } from './capabilities/fair/capability.ts';
import { joining } from './capabilities/joining/capability.ts';
import type { Capability } from './server/http/capability.ts';
import { portal } from './capabilities/portal/capability.ts';

/** The capabilities that ship. The server starts, searches and downloads with any of them left out. */
export const standard: readonly Capability[] = [
  ...[joining, access, audit, disclosure],
  ...[portal, beacon, agents, fair],
];
