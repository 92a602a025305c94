// All tools, in the order in which clients list them, and which of them a caller may use.
import type { Caller } from '../../domain/caller.ts'
import { hasLevel } from '../../domain/permissions.ts'
import { endActivityTool, startActivityTool, updateActivityTool } from './activities.ts'
import { requestApprovalTool } from './approvals.ts'
import { getNotificationTool, listInboxTool } from './inbox.ts'
import { cancelAlertTool, getReceiptTool, sendAlertTool, sendNotificationTool } from './messages.ts'
import { askHumanTool, getAnswerTool } from './questions.ts'
import { cancelScheduleTool, listSchedulesTool, scheduleNotificationTool } from './schedules.ts'
import type { Tool } from './tool.ts'
import { getWidgetTool, setWidgetTool } from './widgets.ts'

export const TOOLS: readonly Tool[] = [
  askHumanTool,
  getAnswerTool,
  sendNotificationTool,
  sendAlertTool,
  getReceiptTool,
  cancelAlertTool,
  startActivityTool,
  updateActivityTool,
  endActivityTool,
  requestApprovalTool,
  setWidgetTool,
  getWidgetTool,
  scheduleNotificationTool,
  listSchedulesTool,
  cancelScheduleTool,
  listInboxTool,
  getNotificationTool,
]

const byName = new Map(TOOLS.map((tool) => [tool.description.name, tool]))

export const findTool = (name: string): Tool | undefined => byName.get(name)

export const isAllowed = (caller: Caller, { access }: Tool): boolean => hasLevel(caller, access.resource, access.level)
