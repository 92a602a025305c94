// What a screen link shows is reached under /s/{token}. These routes are those of the account, registered a second time: the
// request checks make the caller one of the link (checks/screen-link.ts), and handlers and operations are the same.
import { Type } from 'typebox'
import { Problem, type ProblemName } from '../../contract/problems.ts'
import { LinkParams } from '../../contract/screens/links.ts'
import { nothingOnLink } from '../../domain/permissions.ts'
import type { Route } from '../route.ts'

export const LINK_PREFIX = '/s/:token'

// What the address of a link does not tell apart.
const NOT_FOUND: readonly ProblemName[] = ['widget.not_found', 'activity.not_found']

export function asLink({ screenLink: _, slugs, access, ...route }: Route): Route {
  const { url, params, problems = [] } = route
  const handle = route.handle as (call: unknown) => Promise<unknown>
  return {
    ...route,
    id: `${route.id}ByLink`,
    tag: 'Screen links',
    url: LINK_PREFIX + url,
    params: Type.Object({ ...LinkParams.properties, ...params?.properties }),
    access: 'public',
    onLink: {
      shows: slugs ?? (url.startsWith('/wall') ? 'wall' : 'list'),
      parameters: Object.fromEntries(
        Object.entries(route.query?.properties ?? {}).map(([name, schema]) => [name, (schema as Choice).enum]),
      ),
    },
    problems: [...LINK_PROBLEMS, ...problems.filter((name) => !NOT_FOUND.includes(name))],
    handle: async (call: never) => {
      try {
        return await handle(call)
      } catch (error) {
        throw error instanceof Problem && NOT_FOUND.includes(error.problem) ? nothingOnLink() : error
      }
    },
  }
}

type Choice = { enum?: readonly string[] }

const LINK_PROBLEMS: readonly ProblemName[] = ['screen.not_found', 'rate_limit.refusals_exceeded']
