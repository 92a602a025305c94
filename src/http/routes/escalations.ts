// Escalation policies over HTTP.

import { Type } from 'typebox'
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import {
  EscalationForceQuery,
  EscalationInput,
  EscalationParams,
  EscalationPatch,
  EscalationView,
} from '../../contract/escalations.ts'
import { List } from '../../contract/fields.ts'
import type { Context } from '../../operations/context.ts'
import {
  allEscalations,
  patchEscalation,
  putEscalation,
  readEscalation,
  removeEscalation,
} from '../../operations/escalations/manage.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { escalationView } from '../../views/escalations.ts'
import { route, table } from '../route.ts'
import { TARGET } from './notifications.ts'

const toSchedule = { resource: 'notifications', level: 'schedule' } as const
const ABOUT_ONE = ['escalation.not_found'] as const
// A step with e-mails has the rules of e-mails, and a target those of targets.
const SETTING = ['escalation.invalid', 'email.recipient_not_verified', 'email.not_enabled', ...TARGET] as const
const NO_PUSHES = { pushes: [] }

export const escalationRoutes = (ctx: Context) =>
  table({ tag: 'Escalations', organization: true, access: toSchedule }, [
    route('GET /escalations', {
      id: 'listEscalations',
      summary: 'List the escalation policies, newest first',
      ok: List(EscalationView),
      handle: async ({ caller }) => ({ items: (await allEscalations(ctx, caller)).map(escalationView) }),
    }),

    route('GET /escalations/:slug', {
      id: 'getEscalation',
      summary: 'Read an escalation policy',
      params: EscalationParams,
      ok: EscalationView,
      problems: ABOUT_ONE,
      handle: async ({ caller, params }) => escalationView(await readEscalation(ctx, caller, params.slug)),
    }),

    route('POST /escalations', {
      id: 'createEscalation',
      summary: 'Create an escalation policy, or change the one with this slug',
      description:
        'An alert names the policy as `acknowledge.escalation`. While nobody acknowledges it, each step is taken once, at its time: the alert is pushed again, at the level of the step if that is higher, repeats at the interval of the step, and reaches its e-mail recipients, members and callback.',
      query: DryRunQuery,
      body: EscalationInput,
      created: EscalationView,
      ok: Type.Union([EscalationView, DryRun]),
      callbacks: { alertEscalated: 'AlertEscalated' },
      problems: [...SETTING, 'escalation.limit_exceeded'],
      handle: async ({ caller, body, mode, reply }) => {
        const { escalation, action } = await putEscalation(ctx, caller, body, mode)
        const view = escalationView(escalation)
        if (mode === 'dry_run') return dryRunView(action, view, NO_PUSHES)
        reply.code(action === 'created' ? 201 : 200)
        return view
      },
    }),

    route('PATCH /escalations/:slug', {
      id: 'updateEscalation',
      summary: 'Change an escalation policy; alerts that were sent before keep their steps',
      params: EscalationParams,
      query: DryRunQuery,
      body: EscalationPatch,
      ok: Type.Union([EscalationView, DryRun]),
      problems: [...ABOUT_ONE, ...SETTING],
      handle: async ({ caller, params, body, mode }) => {
        const view = escalationView(await patchEscalation(ctx, caller, params.slug, { patch: body, mode }))
        return mode === 'dry_run' ? dryRunView('updated', view, NO_PUSHES) : view
      },
    }),

    route('DELETE /escalations/:slug', {
      id: 'deleteEscalation',
      summary: 'Delete an escalation policy; alerts that were sent before keep their steps',
      params: EscalationParams,
      query: EscalationForceQuery,
      problems: [...ABOUT_ONE, 'escalation.in_use', 'integration_key.target_denied'],
      handle: ({ caller, params, query }) =>
        removeEscalation(ctx, caller, params.slug, { force: query.force ?? false }),
    }),
  ])
