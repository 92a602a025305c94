// What is about to be sent, when, and whom it would reach.
import type { ComponentChildren } from 'preact'
import { TEXTS } from '../../texts.ts'
import { ORG_TEXTS } from '../../texts-organizations.ts'
import { Icon } from '../../ui/icon.tsx'
import { Facts } from '../../ui/page.tsx'
import { Moment } from '../../ui/time.tsx'
import { targetInWords, toTarget } from '../target.ts'
import { buttonTitles, type Draft, type Repetition } from './draft.ts'

const { sent: words } = ORG_TEXTS
const { schedules } = TEXTS

export type Reach = { members: number; devices: number }

export function Summary({ draft, reach }: { draft: Draft; reach: Reach }) {
  const buttons = buttonTitles(draft)
  const rows: [string, ComponentChildren][] = [
    [schedules.title, draft.title],
    [schedules.body, draft.body],
    [words.level, TEXTS.levels[draft.level]],
  ]
  if (buttons.length > 0) rows.push([words.buttons, buttons.join(' · ')])
  if (draft.repetition) rows.push([words.repeats, repetitionInWords(draft.repetition)])
  if (draft.timing.when !== 'now') rows.push([schedules.when, <WhenText draft={draft} />])
  rows.push([ORG_TEXTS.target.legend, targetInWords(toTarget(draft.target))])
  return (
    <>
      <Facts rows={rows} />
      <p class="note" role="status">
        <Icon name="people" size={18} />
        <span>
          {words.wouldReach(reach)} {draft.timing.when !== 'now' && words.decidedLater}
        </span>
      </p>
    </>
  )
}

const repetitionInWords = ({ every, atMost }: Repetition): string =>
  words.repetition(words.everyChoices[every] ?? every, words.atMostChoices[atMost] ?? atMost)

function WhenText({ draft: { timing } }: { draft: Draft }) {
  if (timing.when === 'once') return <Moment at={new Date(timing.sendAt).toISOString()} />
  return (
    <>
      <code>{timing.cron}</code> {timing.timezone}
    </>
  )
}
