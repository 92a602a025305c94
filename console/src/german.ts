// The German texts that every page needs. The others come with the pages that show them. Their types are those of the English
// ones, so a text that is missing does not compile.
import type { TextsName } from './language.ts'
import { ALERTS } from './texts/german/alerts.ts'
import { BASE } from './texts/german/base.ts'
import { QUIET } from './texts/german/quiet.ts'

export const GERMAN: Record<TextsName, object> = { alerts: ALERTS, base: BASE, quiet: QUIET }
