// Tools that show the progress of a long task on the lock screen, and ask for an approval there.
import { Type } from 'typebox'
import { ActivityInput, ActivityPatch, ActivityView } from '../../contract/activities.ts'
import { closed, Slug } from '../../contract/fields.ts'
import type { Caller } from '../../domain/caller.ts'
import { hasLevel } from '../../domain/permissions.ts'
import { patchActivity } from '../../operations/activities/patch.ts'
import { putActivity } from '../../operations/activities/put.ts'
import { readActivity } from '../../operations/activities/read.ts'
import type { Context } from '../../operations/context.ts'
import { activityView } from '../../views/activities.ts'
import { defineTool } from './tool.ts'

const { content, priority, sound, target, state: _, ...ttls } = ActivityPatch.properties
const { name } = ActivityInput.properties

const toUpdate = { resource: 'activities', level: 'update' } as const
const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true }

const CONTENT_HELP =
  'The member template of content is generic, steps, gauge, countdown, timeline, board, log, alert, media or approval; generic takes state (a line of text) and progress (0 to 1).'

export const startActivityTool = defineTool({
  name: 'start_activity',
  title: 'Start a live activity',
  description: `Shows the progress of a long task on the lock screen. An activity with this slug is started again, or created if the token may do that. ${CONTENT_HELP}`,
  input: Type.Object(
    {
      slug: Slug,
      name: Type.Optional({
        ...name,
        description: 'what is shown as its name, such as the name of the task; needs activities:manage',
      }),
      content: ActivityView.properties.content,
      priority,
      sound,
      target,
      ...ttls,
    },
    closed,
  ),
  output: ActivityView,
  annotations: CHANGES,
  access: toUpdate,
  slugs: 'activities',
  run: (ctx, caller, args) => startActivity(ctx, caller, args),
})

export const updateActivityTool = defineTool({
  name: 'update_activity',
  title: 'Update a live activity',
  description:
    'Changes the content of a live activity. Only the members that are sent change (RFC 7396 merge patch); null removes one. With the slug alone it changes nothing and returns the activity.',
  input: Type.Object({ slug: Slug, content, priority, sound, ...ttls }, closed),
  output: ActivityView,
  annotations: CHANGES,
  access: toUpdate,
  slugs: 'activities',
  run: (ctx, caller, { slug, ...patch }, { ended }) =>
    Object.keys(patch).length === 0 ? read(ctx, caller, slug, ended) : change(ctx, caller, slug, patch),
})

export const endActivityTool = defineTool({
  name: 'end_activity',
  title: 'End a live activity',
  description: 'Ends a live activity, with a last change of its content if content is sent.',
  input: Type.Object({ slug: Slug, content, sound, ...ttls }, closed),
  output: ActivityView,
  annotations: { ...CHANGES, destructiveHint: true },
  access: toUpdate,
  slugs: 'activities',
  run: (ctx, caller, { slug, ...patch }) => change(ctx, caller, slug, { ...patch, state: 'ended' }),
})

type Start = { slug: string; name?: string } & Omit<ActivityPatch, 'state'>

export async function startActivity(ctx: Context, caller: Caller, { slug, name, ...patch }: Start) {
  if (name !== undefined) {
    const { priority, target, ended_ttl, stale_ttl, dismissal_ttl } = patch
    await putActivity(ctx, caller, { slug, name, priority, target, ended_ttl, stale_ttl, dismissal_ttl }, 'commit')
  }
  return change(ctx, caller, slug, { ...patch, state: 'ongoing' }, hasLevel(caller, 'activities', 'manage'))
}

async function read(ctx: Context, caller: Caller, slug: string, gone: AbortSignal): Promise<ActivityView> {
  return activityView(await readActivity(ctx, caller, slug, { includeBacklog: false, wait: { seconds: 0, gone } }))
}

async function change(
  ctx: Context,
  caller: Caller,
  slug: string,
  patch: ActivityPatch,
  upsert = false,
): Promise<ActivityView> {
  const { action: _, ...seen } = await patchActivity(ctx, caller, slug, { patch, upsert, mode: 'commit' })
  return activityView(seen)
}
