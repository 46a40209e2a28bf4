import { join, resolve } from 'node:path';
import { TributaryError } from '../errors/errors.ts';
import type { PortalConfig } from './config.ts';
import { describeIssue } from './describe-issue.ts';
import { readJsonFile } from './json-file.ts';
import { portalFile } from './portal-file.ts';
import type { Variables } from './variables.ts';

/**
 * The settings passed to the portal's pages; null when PORTAL is off.
 * @throws TributaryError CONFIG_INVALID
 */
export const readPortal = (variables: Variables): PortalConfig | null => {
  if (variables.PORTAL === 'off') return null;
  return {
    publicUrl: variables.PUBLIC_URL ?? null,
    signIn: readSignIn(variables),
    links: { file: join(resolve(variables.DATA_PATH), '@portal-links.sqlite'), maxBytes: 64 * 1024 * 1024 },
    look: readLook(variables.PORTAL_PATH),
  };
};

/** A provider and what it calls the pages belong together. */
const readSignIn = (variables: Variables): PortalConfig['signIn'] => {
  const { PORTAL_OIDC_ISSUER: issuer, PORTAL_OIDC_CLIENT_ID: clientId } = variables;
  if (issuer === undefined && clientId === undefined) return null;
  if (issuer === undefined)
    throw invalid('PORTAL_OIDC_CLIENT_ID is set but PORTAL_OIDC_ISSUER is not: name the provider');
  if (clientId === undefined)
    throw invalid(
      'PORTAL_OIDC_ISSUER is set but PORTAL_OIDC_CLIENT_ID is not: name what the provider calls the pages',
    );
  return {
    issuer,
    clientId,
    scope: variables.PORTAL_OIDC_SCOPE,
    resource: variables.PORTAL_OIDC_RESOURCE ?? null,
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
