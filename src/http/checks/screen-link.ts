// A request under /s/: the link that its token names, the limits of the link, and what it shows. Everything that is not to be
// seen there has the same answer, so that an address tells nothing but what its link shows.
import type { FastifyContextConfig as Config, FastifyReply, FastifyRequest } from 'fastify'
import type { LinkCaller } from '../../domain/caller.ts'
import { isSlug } from '../../domain/ids.ts'
import { nothingOnLink, reachesSlug } from '../../domain/permissions.ts'
import { authenticateScreen } from '../../operations/authenticate.ts'
import type { Context } from '../../operations/context.ts'
import type { RateLimiter } from '../../operations/rate-limit.ts'
import { limitLink, refuseLink } from './rate-limit.ts'

type OnLink = NonNullable<Config['onLink']>

export async function checkScreenLink(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
  onLink: OnLink,
): Promise<LinkCaller> {
  setLinkHeaders(reply)
  const { token = '', slug } = request.params as { token?: string; slug?: string }
  const caller = await authenticateScreen(ctx, token).catch((error) => {
    throw refuseLink(limiter, request, error)
  })
  limitLink(limiter, reply, caller)
  const shown = callerFor(caller, onLink.shows, slug)
  addDefaults(request, caller, onLink.parameters)
  return shown
}

const LINK_HEADERS = {
  // Answers of a link may run no script. The style is that of pictures.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

export function setLinkHeaders(reply: FastifyReply): void {
  reply.headers(LINK_HEADERS)
}

function callerFor(caller: LinkCaller, shows: OnLink['shows'], slug: string | undefined): LinkCaller {
  switch (shows) {
    case 'wall':
      if (!caller.showsWall) throw nothingOnLink()
      // The wall has all widgets. Elsewhere, a link to it shows none of them.
      return { ...caller, widgetSlugs: ['*'] }
    case 'list':
      return caller
    default:
      if (!slug || !isSlug(slug) || !reachesSlug(caller, shows, slug)) throw nothingOnLink()
      return caller
  }
}

// What the link says about language, zone and theme, where the request does not. A theme is left out where the route does not
// have it, and where something else decides about colours: a BMP has two of them unless the request says otherwise.
function addDefaults(request: FastifyRequest, { defaults }: LinkCaller, parameters: OnLink['parameters']): void {
  const query = request.query as Record<string, unknown>
  const isBmp = request.routeOptions.url?.endsWith('.bmp')
  const hasColors = isBmp || ['colors', 'layer'].some((name) => name in query) || query.family === 'badge'
  for (const [name, value] of Object.entries(defaults)) {
    const isTaken = name in parameters && (parameters[name]?.includes(value ?? '') ?? true)
    if (value !== null && isTaken && !(name in query) && !(name === 'theme' && hasColors)) query[name] = value
  }
}
