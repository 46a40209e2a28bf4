import { nothingAt } from '../catalogue/find-catalogue.ts';
import { originOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import type { HttpSettings } from '../koa/settings.ts';

export interface ChallengeParts {
  /** The issuers whose tokens are valid here; unset: none are known. */
  readonly issuers?: (() => readonly string[]) | undefined;
  readonly settings: Pick<HttpSettings, 'publicOrigin'>;
  /** The paths that are resources of their own, besides the server. */
  readonly resources: readonly string[];
}

const metadataPath = '/.well-known/oauth-protected-resource';

/** Asks callers who are refused with 401 for a token, and says where tokens come from (RFC 6750, RFC 9728). */
export const challengeCallers =
  ({ issuers = () => [], settings, resources }: ChallengeParts): Middleware =>
  async (context, next) => {
    await next();
    if (context.status !== 401) return;
    const path = resources.find((one) => context.path === one) ?? '';
    const metadata = `${originOf(context, settings)}${metadataPath}${path}`;
    context.set(
      'www-authenticate',
      issuers().length === 0 ? 'Bearer' : `Bearer resource_metadata="${metadata}"`,
    );
  };

/** GET /.well-known/oauth-protected-resource, and below it by the path of a resource (RFC 9728). */
export const showResource = (
  context: HttpContext,
  { issuers = () => [], settings, resources }: ChallengeParts,
): void => {
  const path = context.path.slice(metadataPath.length);
  if (issuers().length === 0 || !['', ...resources].includes(path)) throw nothingAt(context.path);
  context.body = {
    resource: `${originOf(context, settings)}${path}`,
    authorization_servers: issuers(),
    bearer_methods_supported: ['header'],
  };
};
