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
import { callerOf } from '../caller.ts'
import { changeMode } from '../change-mode.ts'
import { disconnectSignal } from '../connections/client-disconnect.ts'
import type { HttpServer } from '../fastify-types.ts'
import { ANSWERING } from './answers.ts'

const tags = ['Activities']
const SlugParams = Type.Object({ slug: Slug })
const toRead = { access: { resource: 'activities', level: 'read' }, slugs: 'activities' } as const
const toUpdate = { access: { resource: 'activities', level: 'update' }, slugs: 'activities' } as const
const toManage = { access: { resource: 'activities', level: 'manage' }, slugs: 'activities' } as const

const TARGETING = [
  'org.target_unavailable',
  'org.target_invalid',
  'integration_key.target_denied',
  'org.target_unknown',
] as const

export function activityRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/activities',
    {
      schema: {
        tags,
        operationId: 'createActivity',
        summary: 'Create an activity, or replace name, priority and times of the one with this slug',
        querystring: DryRunQuery,
        body: ActivityInput,
        response: { 201: ActivityView, 200: DryRun },
      },
      config: {
        ...toManage,
        resourceActionOn: [201],
        problems: ['activity.priority_invalid', 'activity.limit_exceeded', 'quota.exceeded', ...TARGETING],
      },
    },
    async (request, reply) => {
      const mode = changeMode(request.query)
      const { action, effects, ...seen } = await putActivity(ctx, callerOf(request), request.body, mode)
      if (effects) return reply.code(200).send(dryRunView(action, activityView(seen), effects))
      return reply.code(201).header('x-resource-action', action).send(activityView(seen))
    },
  )

  app.get(
    '/activities',
    {
      schema: {
        tags,
        operationId: 'listActivities',
        summary: 'List the activities, own and shared ones, by slug',
        querystring: ActivityListQuery,
        response: { 200: ActivityList },
      },
      config: { ...toRead, problems: ['activity.state_invalid', 'cursor.invalid'] },
    },
    async (request) => {
      return pageView(await readActivityPage(ctx, callerOf(request), request.query), activityView)
    },
  )

  app.get(
    '/activities/:slug',
    {
      schema: {
        tags,
        operationId: 'getActivity',
        summary: 'Read an activity, with the history of a timeline',
        params: SlugParams,
        querystring: ActivityReadQuery,
        response: { 200: ActivityView },
      },
      config: { ...toRead, problems: ['activity.not_found', 'answer_wait.limit_exceeded'] },
    },
    async (request, reply) => {
      const { include, wait: seconds = 0 } = request.query
      const wait = { seconds, gone: disconnectSignal(reply) }
      const wanted = { includeBacklog: include === 'log_backlog', wait }
      return activityView(await readActivity(ctx, callerOf(request), request.params.slug, wanted))
    },
  )

  patchRoute(app, ctx, '/activities/:slug', { operationId: 'updateActivity' })
  // The path of older clients.
  patchRoute(app, ctx, '/activity/:slug', { operationId: 'updateActivityByOldPath', deprecated: true })

  app.delete(
    '/activities/:slug',
    {
      schema: {
        tags,
        operationId: 'deleteActivity',
        summary: 'Delete an activity and remove it from devices',
        params: SlugParams,
        response: { 204: {} },
      },
      config: { ...toManage, problems: ['activity.not_found', 'activity.viewer_forbidden'] },
    },
    async (request, reply) => {
      await removeActivity(ctx, callerOf(request), request.params.slug)
      return reply.code(204).send()
    },
  )

  deviceSideRoutes(app, ctx)
}

type PathVariant = { operationId: string; deprecated?: true }

function patchRoute(app: HttpServer, ctx: Context, path: string, variant: PathVariant): void {
  app.patch(
    path,
    {
      schema: {
        ...variant,
        tags,
        summary: 'Start, update or end an activity (RFC 7396 merge patch)',
        description:
          'The response leaves out the history of a timeline; `GET /activities/{slug}` has it. Members of `content` that no template knows are kept.',
        params: SlugParams,
        querystring: ActivityPatchQuery,
        body: ActivityPatch,
        response: { 200: Type.Union([ActivityView, DryRun]), 201: ActivityView },
      },
      config: {
        ...toUpdate,
        resourceActionOn: [200, 201],
        problems: [
          'activity.content_invalid',
          'activity.state_invalid',
          'activity.priority_invalid',
          'activity.not_found',
          'activity.limit_exceeded',
          'activity.upsert_forbidden',
          'activity.viewer_forbidden',
          'quota.exceeded',
          ...TARGETING,
        ],
      },
    },
    async (request, reply) => {
      const { query, params, body } = request
      const change = { patch: body, upsert: query.upsert ?? false, mode: changeMode(query) }
      const { action, effects, ...seen } = await patchActivity(ctx, callerOf(request), params.slug, change)
      if (effects) return reply.code(200).send(dryRunView(action, activityView(seen), effects))
      return reply
        .code(action === 'created' ? 201 : 200)
        .header('x-resource-action', action)
        .send(activityView(seen))
    },
  )
}

// The actions of a person on a device.
function deviceSideRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/activities/:slug/snooze',
    {
      schema: {
        tags,
        operationId: 'snoozeActivity',
        summary: 'Postpone the end of a countdown',
        params: SlugParams,
        response: { 200: ActivityView },
      },
      config: {
        access: 'user',
        problems: ['slug.invalid', 'activity.not_found', 'activity.viewer_forbidden', 'activity.state_invalid'],
      },
    },
    async (request) => activityView(await snoozeActivity(ctx, callerOf(request), request.params.slug)),
  )

  app.post(
    '/activities/:slug/answer',
    {
      schema: {
        tags,
        operationId: 'answerApproval',
        summary: 'Answer an approval',
        params: SlugParams,
        body: ApprovalAnswer,
        response: { 200: ActivityView },
      },
      config: {
        access: 'user',
        problems: ['slug.invalid', 'activity.not_found', 'activity.viewer_forbidden', ...ANSWERING],
      },
    },
    async (request) =>
      activityView(await answerApproval(ctx, callerOf(request), request.params.slug, request.body.option)),
  )
}
