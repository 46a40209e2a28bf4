import { join, resolve } from 'node:path';
import { TributaryError } from '../errors.ts';
import type { PortalConfig } from './config.ts';
import { describeIssue } from './describe-issue.ts';
import { readJsonFile } from './json-file.ts';
import { portalFile } from './portal-file.ts';
import type { Variables } from './variables.ts';

/**
 * What the portal's pages are told; null when PORTAL is off.
 * @throws TributaryError CONFIG_INVALID
 */
export const readPortal = (variables: Variables): PortalConfig | null => {
  if (variables.PORTAL === 'off') return null;
  return {
    publicUrl: variables.PUBLIC_URL ?? null,
    links: { file: join(resolve(variables.DATA_PATH), '@portal-links.sqlite'), maxBytes: 64 * 1024 * 1024 },
    look: readLook(variables.PORTAL_PATH),
  };
};

/** The file at PORTAL_PATH; without the variable ./portal.json, which may be missing. */
const readLook = (path: string | undefined): PortalConfig['look'] => {
  const named = path ?? './portal.json';
  const file = readJsonFile(resolve(named));
  if (file.kind === 'missing' && path === undefined) return {};
  if (file.kind === 'missing')
    throw invalid(`PORTAL_PATH names ${JSON.stringify(named)}, which does not exist`);
  if (file.kind === 'broken') throw invalid(`${named} ${file.reason}`);
  const checked = portalFile.safeParse(file.content);
  if (checked.success) return checked.data;
  throw invalid(
    `${named}: ${checked.error.issues.map((issue) => `${pathOf(issue.path)}${describeIssue(issue, file.content)}`).join('; ')}`,
  );
};

const pathOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? '' : `${path.map(String).join('.')} `;

const invalid = (message: string): TributaryError => new TributaryError('CONFIG_INVALID', message);
