// The steps of an escalation policy as arguments: "after=5m level=critical", or JSON, which can have
// names with spaces.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { EscalationStepInput } from '../../../contract/escalations.ts'
import { parseDurationSeconds } from '../../../domain/instant.ts'
import { printableLine } from '../../output.ts'
import { targetEntry, targetOf } from './notification-options.ts'
import { durationInWords, namedValue } from './options.ts'

export const STEP_HELP = `A step is words of the form NAME=VALUE:
  after=5m                      since the alert was sent; required
  level=critical                raise it to active, time-sensitive or critical
  repeat=30s                    repeat it that often from now on
  emails=ada@example.org,…      verified recipients who get it as an e-mail
  target=group:ops,member:…     members of an organization who get it as well
  callback=https://…            address that gets a signed POST`

type Member = (value: string) => Partial<EscalationStepInput>

const MEMBERS: Record<string, Member> = {
  after: (value) => ({ after_seconds: seconds(value) }),
  level: (value) => ({ level: value as NonNullable<EscalationStepInput['level']> }),
  repeat: (value) => ({ repeat_seconds: seconds(value) }),
  emails: (value) => ({ emails: value.split(',') }),
  target: (value) => ({ target: targetOf(value.split(',').map(targetEntry)) }),
  callback: (value) => ({ callback_url: value }),
}

// The server checks the values.
export function step(argument: string): EscalationStepInput {
  const members = argument.trim().split(/\s+/).map(namedValue)
  const parts = members.map(([name, value]) => {
    const member = MEMBERS[name]
    if (!member) throw new Error(`words such as after=5m and level=critical; "${name}" is none of them`)
    return member(value)
  })
  const read: Partial<EscalationStepInput> = Object.assign({}, ...parts)
  const { after_seconds } = read
  if (after_seconds === undefined) throw new Error('words such as after=5m and level=critical; after is missing')
  return { ...read, after_seconds }
}

function seconds(value: string): number {
  const found = parseDurationSeconds(value)
  if (found === undefined) throw new Error(`durations such as 90, 10m or 1h30m, not "${value}"`)
  return found
}

export async function readSteps(command: Command, json: string): Promise<EscalationStepInput[]> {
  try {
    return JSON.parse(json === '-' ? await text(process.stdin) : json)
  } catch {
    return command.error('error: --steps must be a JSON array')
  }
}

// The time, and what happens then.
export function stepInWords({ after_seconds, ...step }: EscalationStepInput): [string, string] {
  const { groups, tags, members } = step.target ?? {}
  const effects = [
    step.level,
    step.repeat_seconds === undefined ? undefined : `every ${durationInWords(step.repeat_seconds)}`,
    step.emails && `e-mail to ${step.emails.join(', ')}`,
    groups && `groups ${groups.join(', ')}`,
    tags && `tags ${tags.join(', ')}`,
    members && `members ${members.join(', ')}`,
    step.callback_url && `callback to ${step.callback_url}`,
  ]
  const words = effects.filter((effect) => effect !== undefined && effect !== null).join('; ')
  return [`after ${durationInWords(after_seconds)}`, printableLine(words)]
}
