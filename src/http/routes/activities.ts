// Activities over HTTP.
import { Type } from 'typebox'
import {
  ActivityInput,
  ActivityList,
  ActivityListQuery,
  ActivityPatch,
  ActivityPatchQuery,
  ActivityReadQuery,
  ActivityView,
  ApprovalAnswer,
} from '../../contract/activities.ts'
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import { Slug } from '../../contract/fields.ts'
import { answerApproval, snoozeActivity } from '../../operations/activities/answers.ts'
import { readActivityPage } from '../../operations/activities/list.ts'
import { patchActivity } from '../../operations/activities/patch.ts'
import { putActivity } from '../../operations/activities/put.ts'
import { readActivity } from '../../operations/activities/read.ts'
import { removeActivity } from '../../operations/activities/remove.ts'
import type { Context } from '../../operations/context.ts'
import { activityView } from '../../views/activities.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { pageView } from '../../views/page.ts'
import { route, table } from '../route.ts'
import { ANSWERING } from './answers.ts'
import { TARGET } from './notifications.ts'

const SlugParams = Type.Object({ slug: Slug })
const toRead = { access: { resource: 'activities', level: 'read' }, slugs: 'activities' } as const
const toUpdate = { access: { resource: 'activities', level: 'update' }, slugs: 'activities' } as const
const toManage = { access: { resource: 'activities', level: 'manage' }, slugs: 'activities' } as const

export const activityRoutes = (ctx: Context) =>
  table({ tag: 'Activities' }, [
    route('POST /activities', {
      id: 'createActivity',
      summary: 'Create an activity, or replace name, priority and times of the one with this slug',
      ...toManage,
      resourceActionOn: [201],
      organization: true,
      query: DryRunQuery,
      body: ActivityInput,
      created: ActivityView,
      ok: DryRun,
      problems: ['activity.priority_invalid', 'activity.limit_exceeded', 'quota.exceeded', ...TARGET],
      handle: async ({ caller, body, mode, reply }) => {
        const { action, effects, ...seen } = await putActivity(ctx, caller, body, mode)
        if (effects) return dryRunView(action, activityView(seen), effects)
        reply.code(201).header('x-resource-action', action)
        return activityView(seen)
      },
    }),

    route('GET /activities', {
      id: 'listActivities',
      summary: 'List the activities, own and shared ones, by slug',
      ...toRead,
      organization: true,
      query: ActivityListQuery,
      ok: ActivityList,
      problems: ['activity.state_invalid', 'cursor.invalid'],
      handle: async ({ caller, query }) => pageView(await readActivityPage(ctx, caller, query), activityView),
    }),

    route('GET /activities/:slug', {
      id: 'getActivity',
      summary: 'Read an activity, with the history of a timeline',
      ...toRead,
      organization: true,
      params: SlugParams,
      query: ActivityReadQuery,
      ok: ActivityView,
      problems: ['activity.not_found', 'answer_wait.limit_exceeded'],
      handle: async ({ caller, params, query, gone }) => {
        const { include, wait: seconds = 0 } = query
        const wanted = { includeBacklog: include === 'log_backlog', wait: { seconds, gone } }
        return activityView(await readActivity(ctx, caller, params.slug, wanted))
      },
    }),

    patchRow(ctx, 'PATCH /activities/:slug', { id: 'updateActivity', organization: true }),
    // The path of older clients.
    patchRow(ctx, 'PATCH /activity/:slug', { id: 'updateActivityByOldPath', deprecated: true }),

    route('DELETE /activities/:slug', {
      id: 'deleteActivity',
      summary: 'Delete an activity and remove it from devices',
      ...toManage,
      organization: true,
      params: SlugParams,
      problems: ['activity.not_found', 'activity.viewer_forbidden'],
      handle: ({ caller, params }) => removeActivity(ctx, caller, params.slug),
    }),

    route('POST /activities/:slug/snooze', {
      id: 'snoozeActivity',
      summary: 'Postpone the end of a countdown',
      access: 'user',
      params: SlugParams,
      ok: ActivityView,
      problems: ['slug.invalid', 'activity.not_found', 'activity.viewer_forbidden', 'activity.state_invalid'],
      handle: async ({ caller, params }) => activityView(await snoozeActivity(ctx, caller, params.slug)),
    }),

    route('POST /activities/:slug/answer', {
      id: 'answerApproval',
      summary: 'Answer an approval',
      access: 'user',
      params: SlugParams,
      body: ApprovalAnswer,
      ok: ActivityView,
      problems: ['slug.invalid', 'activity.not_found', 'activity.viewer_forbidden', ...ANSWERING],
      handle: async ({ caller, params, body }) =>
        activityView(await answerApproval(ctx, caller, params.slug, body.option)),
    }),
  ])

type PathVariant = { id: string; deprecated?: true; organization?: true }

const patchRow = (ctx: Context, at: `PATCH /${string}`, variant: PathVariant) =>
  route(at, {
    ...variant,
    summary: 'Start, update or end an activity (RFC 7396 merge patch)',
    description:
      'The response leaves out the history of a timeline; `GET /activities/{slug}` has it. Members of `content` that no template knows are kept.',
    ...toUpdate,
    resourceActionOn: [200, 201],
    params: SlugParams,
    query: ActivityPatchQuery,
    body: ActivityPatch,
    ok: Type.Union([ActivityView, DryRun]),
    created: ActivityView,
    problems: [
      'activity.content_invalid',
      'activity.state_invalid',
      'activity.priority_invalid',
      'activity.not_found',
      'activity.limit_exceeded',
      'activity.upsert_forbidden',
      'activity.viewer_forbidden',
      'quota.exceeded',
      ...TARGET,
    ],
    handle: async ({ caller, params, query, body, mode, reply }) => {
      const change = { patch: body, upsert: query.upsert ?? false, mode }
      const { action, effects, ...seen } = await patchActivity(ctx, caller, params.slug, change)
      if (effects) return dryRunView(action, activityView(seen), effects)
      reply.code(action === 'created' ? 201 : 200).header('x-resource-action', action)
      return activityView(seen)
    },
  })
