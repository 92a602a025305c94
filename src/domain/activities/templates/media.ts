// What is playing, its position, and its buttons.
import { type Static, Type } from 'typebox'
import { ACTION_MEMBERS } from '../../../contract/actions.ts'
import { closed, OneOf, Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { actionViolations, isHttpUrl, withUpperCaseMethod } from '../../action-rules.ts'
import { toUnixSeconds } from '../../instant.ts'
import { notAheadRule } from './alert.ts'
import { Action } from './common.ts'
import { at, UnixSeconds } from './content.ts'
import { IMAGE_FIELDS, imageRules } from './image.ts'
import { type ContentChange, defineTemplate, type FieldsOf, giveUp } from './template.ts'

const Extra = Type.Object({ ...Action.properties, icon: ACTION_MEMBERS.icon })
const BUTTONS = [
  'previous',
  'play_pause',
  'play',
  'pause',
  'next',
  'stop',
  'favorite',
  'volume_down',
  'volume_up',
] as const
const Controls = Type.Object(
  {
    previous: Type.Optional(Action),
    play_pause: Type.Optional(Action),
    play: Type.Optional(Action),
    pause: Type.Optional(Action),
    next: Type.Optional(Action),
    stop: Type.Optional(Action),
    favorite: Type.Optional(Action),
    volume_down: Type.Optional(Action),
    volume_up: Type.Optional(Action),
    extra: Type.Optional(Type.Array(Extra, { maxItems: LIMITS.activity.maxExtraControls })),
  },
  closed,
)

const FIELDS = {
  media_title: Type.Optional(Text(LIMITS.activity.maxMediaTitleChars)),
  playback_state: Type.Optional(OneOf(['playing', 'paused', 'stopped', 'buffering'])),
  position_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: LIMITS.activity.maxMediaSeconds })),
  duration_seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.activity.maxMediaSeconds })),
  position_at: Type.Optional(UnixSeconds),
  volume: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  favorite: Type.Optional(Type.Boolean()),
  controls: Type.Optional(Controls),
  ...IMAGE_FIELDS,
}
type MediaContent = FieldsOf<typeof FIELDS>
type Controls = Static<typeof Controls>

export const media = defineTemplate(FIELDS, {
  required: [],
  rules: (content, change) => [
    ...positionRule(change),
    ...controlRules(content.controls ?? {}),
    ...imageRules(content),
  ],
  derive: (content, change) => ({
    ...content,
    ...(content.controls && { controls: storedControls(content.controls) }),
    ...positionStamp(change),
    ...progressOf(content),
  }),
  end: (content) => ({ ...content, playback_state: 'stopped' }),
  reductions: [giveUp('controls')],
})

function positionRule({ sent: { position_at: positionAt }, now }: ContentChange<MediaContent>): Violation[] {
  if (positionAt !== undefined && positionAt < toUnixSeconds(now) - LIMITS.activity.maxPositionAgeSeconds) {
    return [{ location: at('position_at'), message: 'must be at most 12 hours ago' }]
  }
  return notAheadRule('position_at', positionAt, now)
}

// A position without a time is valid now.
function positionStamp({ sent, now }: ContentChange<MediaContent>): object {
  return sent.position_seconds !== undefined && sent.position_at === undefined
    ? { position_at: toUnixSeconds(now) }
    : {}
}

function progressOf({ position_seconds: position, duration_seconds: duration }: MediaContent): object {
  return position === undefined || duration === undefined ? {} : { progress: Math.min(position / duration, 1) }
}

function controlRules(controls: Controls): Violation[] {
  return buttonsOf(controls).flatMap(([name, action]) => {
    const location = at(`controls.${name}`)
    const violations = actionViolations(location, action)
    if (action.foreground && isHttpUrl(action.url)) {
      violations.push({ location: `${location}.foreground`, message: 'must not be true: controls are called silently' })
    }
    return violations
  })
}

function buttonsOf(controls: Controls): [name: string, action: Action][] {
  const named = BUTTONS.flatMap((name): [string, Action][] => {
    const action = controls[name]
    return action ? [[name, action]] : []
  })
  return [...named, ...(controls.extra ?? []).map((action, index): [string, Action] => [`extra[${index}]`, action])]
}

// The default method of a button is POST, because pressing it changes something.
function storedControls({ extra, ...named }: Controls): Controls {
  const stored = (action: Action) => withUpperCaseMethod(isHttpUrl(action.url) ? { method: 'POST', ...action } : action)
  const buttons = Object.entries(named).map(([name, action]) => [name, stored(action)])
  return { ...Object.fromEntries(buttons), ...(extra && { extra: extra.map((action) => stored(action)) }) }
}
