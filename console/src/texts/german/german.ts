// The German texts, one file for each file of English texts. Their types are those of the English ones, so a text that is
// missing does not compile.
import type { TextsName } from '../../language.ts'
import { ACCOUNT } from './account.ts'
import { ALERTS } from './alerts.ts'
import { BASE } from './base.ts'
import { BUILDER } from './builder.ts'
import { CARDS } from './cards.ts'
import { ESCALATIONS } from './escalations.ts'
import { EXAMPLES } from './examples.ts'
import { FIRST_RUN } from './first-run.ts'
import { HEARTBEATS } from './heartbeats.ts'
import { HOOK_TOOLS } from './hook-tools.ts'
import { HOOKS } from './hooks.ts'
import { JOINING } from './joining.ts'
import { MESSAGES } from './messages.ts'
import { ORGANIZATIONS } from './organizations.ts'
import { PHONES } from './phones.ts'
import { QUIET } from './quiet.ts'
import { QUIET_HOURS } from './quiet-hours.ts'
import { SCHEDULES } from './schedules.ts'
import { SETUP } from './setup.ts'
import { SHARES } from './shares.ts'
import { USAGE } from './usage.ts'
import { WALL } from './wall.ts'

export const GERMAN: Record<TextsName, object> = {
  alerts: ALERTS,
  base: BASE,
  cards: CARDS,
  examples: EXAMPLES,
  heartbeats: HEARTBEATS,
  hooks: HOOKS,
  'hook-tools': HOOK_TOOLS,
  joining: JOINING,
  organizations: ORGANIZATIONS,
  phones: PHONES,
  setup: SETUP,
  quiet: QUIET,
  'quiet-hours': QUIET_HOURS,
  escalations: ESCALATIONS,
  wall: WALL,
  shares: SHARES,
  usage: USAGE,
  schedules: SCHEDULES,
  messages: MESSAGES,
  'first-run': FIRST_RUN,
  builder: BUILDER,
  account: ACCOUNT,
}
