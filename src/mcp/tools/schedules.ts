// Tools that send notifications later, or as a series.
import { Type } from 'typebox'
import { closed, ScheduleId } from '../../contract/fields.ts'
import { ScheduleInput, ScheduleList, ScheduleQuery, ScheduleView } from '../../contract/schedules.ts'
import { cancelSchedule } from '../../operations/schedules/cancel.ts'
import { scheduleNotification } from '../../operations/schedules/plan.ts'
import { readSchedulePage } from '../../operations/schedules/read.ts'
import { pageView } from '../../views/page.ts'
import { scheduleView } from '../../views/schedules.ts'
import { MESSAGE } from './messages.ts'
import { createdView, IDEMPOTENCY, onceOnly } from './shared-arguments.ts'
import { defineTool, READS } from './tool.ts'

const { send_at, recurrence } = ScheduleInput.properties
const toSchedule = { resource: 'notifications', level: 'schedule' } as const
const LISTED = 20

export const scheduleNotificationTool = defineTool({
  name: 'schedule_notification',
  title: 'Schedule a notification',
  description: 'Sends a notification at send_at, or as a series by recurrence. One of the two is required.',
  input: Type.Object({ ...MESSAGE, send_at, recurrence, ...IDEMPOTENCY }, closed),
  output: ScheduleView,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  access: toSchedule,
  run: async (ctx, caller, args) => {
    const { message, request } = onceOnly('schedule_notification', args)
    return createdView(await scheduleNotification(ctx, caller, message, request), scheduleView)
  },
})

export const listSchedulesTool = defineTool({
  name: 'list_schedules',
  title: 'List scheduled notifications',
  description: 'Lists schedules: those that are still to be sent, unless status says otherwise.',
  input: Type.Object(ScheduleQuery.properties, closed),
  output: ScheduleList,
  annotations: READS,
  access: toSchedule,
  run: async (ctx, caller, query) =>
    pageView(await readSchedulePage(ctx, caller, { limit: LISTED, ...query }), scheduleView),
})

export const cancelScheduleTool = defineTool({
  name: 'cancel_schedule',
  title: 'Cancel a scheduled notification',
  description: 'Cancels a schedule that is still to be sent, or deletes the record of one that was sent or has failed.',
  input: Type.Object({ id: ScheduleId }, closed),
  output: Type.Object({ id: Type.Integer(), canceled: Type.Boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  access: toSchedule,
  async run(ctx, caller, { id }) {
    await cancelSchedule(ctx, caller, id, { purge: false })
    return { id, canceled: true }
  },
})
