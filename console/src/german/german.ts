// The German texts, one file for each file of English texts. Their types are those of the English ones, so a text that is
// missing does not compile.
import type { TextsName } from '../language.ts'
import { ALERTS } from './alerts.ts'
import { BASE } from './base.ts'
import { CARDS } from './cards.ts'
import { EXAMPLES } from './examples.ts'
import { HOOK_TOOLS } from './hook-tools.ts'
import { HOOKS } from './hooks.ts'
import { JOINING } from './joining.ts'
import { ORGANIZATIONS } from './organizations.ts'
import { PHONES } from './phones.ts'
import { SETUP } from './setup.ts'
import { SHARES } from './shares.ts'

export const GERMAN: Record<TextsName, object> = {
  alerts: ALERTS,
  base: BASE,
  cards: CARDS,
  examples: EXAMPLES,
  hooks: HOOKS,
  'hook-tools': HOOK_TOOLS,
  joining: JOINING,
  organizations: ORGANIZATIONS,
  phones: PHONES,
  setup: SETUP,
  shares: SHARES,
}
