import { agents } from './doors/mcp/capability.ts';
import { beacon } from './doors/beacon/capability.ts';
import { fair } from './doors/fdp/capability.ts';
import type { Capability } from './http/capability.ts';
import { portal } from './http/portal/capability.ts';

/** The capabilities that ship. The server starts, searches and downloads with any of them left out. */
export const standard: readonly Capability[] = [portal, beacon, agents, fair];
