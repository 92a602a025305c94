// Escalation policies over HTTP.
import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../../contract/dry-run.ts'
import {
  EscalationForceQuery,
  EscalationInput,
  EscalationList,
  EscalationParams,
  EscalationPatch,
  EscalationView,
} from '../../../contract/escalations.ts'
import type { Context } from '../../../operations/context.ts'
import {
  allEscalations,
  patchEscalation,
  putEscalation,
  readEscalation,
  removeEscalation,
} from '../../../operations/escalations/manage.ts'
import { dryRunView } from '../../../views/dry-run.ts'
import { escalationView } from '../../../views/escalations.ts'
import { callerOf } from '../../caller.ts'
import { changeMode } from '../../change-mode.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Escalations']
const toSchedule = { access: { resource: 'notifications', level: 'schedule' } } as const
const ABOUT_ONE = ['escalation.not_found'] as const
// A step with e-mails has the rules of e-mails, and a target those of targets.
const SETTING = [
  'escalation.invalid',
  'email.recipient_not_verified',
  'email.not_enabled',
  'org.target_unavailable',
  'org.target_invalid',
  'org.target_unknown',
  'integration_key.target_denied',
] as const
const NO_PUSHES = { pushes: [] }

export function escalationRoutes(app: HttpServer, ctx: Context): void {
  readingRoutes(app, ctx)
  settingRoutes(app, ctx)
}

function readingRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/escalations',
    {
      schema: {
        tags,
        operationId: 'listEscalations',
        summary: 'List the escalation policies, newest first',
        response: { 200: EscalationList },
      },
      config: toSchedule,
    },
    async (request) => ({ items: (await allEscalations(ctx, callerOf(request))).map(escalationView) }),
  )

  app.get(
    '/escalations/:slug',
    {
      schema: {
        tags,
        operationId: 'getEscalation',
        summary: 'Read an escalation policy',
        params: EscalationParams,
        response: { 200: EscalationView },
      },
      config: { ...toSchedule, problems: ABOUT_ONE },
    },
    async (request) => escalationView(await readEscalation(ctx, callerOf(request), request.params.slug)),
  )
}

function settingRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/escalations',
    {
      schema: {
        tags,
        operationId: 'createEscalation',
        summary: 'Create an escalation policy, or change the one with this slug',
        description:
          'An alert names the policy as `acknowledge.escalation`. While nobody acknowledges it, each step is taken once, at its time: the alert is pushed again, at the level of the step if that is higher, repeats at the interval of the step, and reaches its e-mail recipients, members and callback.',
        querystring: DryRunQuery,
        body: EscalationInput,
        response: { 201: EscalationView, 200: Type.Union([EscalationView, DryRun]) },
        callbacks: { alertEscalated: 'AlertEscalated' },
      },
      config: { ...toSchedule, problems: [...SETTING, 'escalation.limit_exceeded'] },
    },
    async (request, reply) => {
      const mode = changeMode(request.query)
      const { escalation, action } = await putEscalation(ctx, callerOf(request), request.body, mode)
      const view = escalationView(escalation)
      if (mode === 'dry_run') return reply.code(200).send(dryRunView(action, view, NO_PUSHES))
      return reply.code(action === 'created' ? 201 : 200).send(view)
    },
  )

  app.patch(
    '/escalations/:slug',
    {
      schema: {
        tags,
        operationId: 'updateEscalation',
        summary: 'Change an escalation policy; alerts that were sent before keep their steps',
        params: EscalationParams,
        querystring: DryRunQuery,
        body: EscalationPatch,
        response: { 200: Type.Union([EscalationView, DryRun]) },
      },
      config: { ...toSchedule, problems: [...ABOUT_ONE, ...SETTING] },
    },
    async (request) => {
      const change = { patch: request.body, mode: changeMode(request.query) }
      const view = escalationView(await patchEscalation(ctx, callerOf(request), request.params.slug, change))
      return change.mode === 'dry_run' ? dryRunView('updated', view, NO_PUSHES) : view
    },
  )

  app.delete(
    '/escalations/:slug',
    {
      schema: {
        tags,
        operationId: 'deleteEscalation',
        summary: 'Delete an escalation policy; alerts that were sent before keep their steps',
        params: EscalationParams,
        querystring: EscalationForceQuery,
        response: { 204: {} },
      },
      config: { ...toSchedule, problems: [...ABOUT_ONE, 'escalation.in_use', 'integration_key.target_denied'] },
    },
    async (request, reply) => {
      const { force = false } = request.query
      await removeEscalation(ctx, callerOf(request), request.params.slug, { force })
      return reply.code(204).send()
    },
  )
}
