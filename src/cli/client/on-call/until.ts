// The end of a mute or of "quiet now": for how long, or until when.
import { parseDurationSeconds } from '../../../domain/instant.ts'
import { timestamp, timestampIn } from '../arguments/options.ts'

export const UNTIL_HELP = 'for how long, such as 8h, or until when, such as 18:30'

export const untilTime =
  (maxSeconds: number) =>
  (text: string): string => {
    const seconds = parseDurationSeconds(text)
    if (seconds === undefined) return timestamp(text)
    if (seconds > 0 && seconds <= maxSeconds) return timestampIn(seconds)
    throw new Error(`at most ${maxSeconds / 86_400} days`)
  }
