// Refusals of the API about sharing, as sentences that say what to do.
import { useState } from 'preact/hooks'
import { ApiError, messageOf } from '../api/client.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Icon } from '../ui/icon.tsx'

type Side = keyof typeof SHARE_TEXTS.refusals
type LimitProblem = { kind: keyof typeof SHARE_TEXTS.limits; limit: number }

export function refusalInWords(error: unknown, side: Side): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.code === 'share.limit_exceeded') {
    const { kind, limit } = error.body as LimitProblem
    return SHARE_TEXTS.limits[kind](limit)
  }
  return SHARE_TEXTS.refusals[side][error.code] ?? error.message
}

// Runs actions and keeps the refusal of the last one, to be shown next to its control: a dialog covers toasts.
export function useRefusal(side: Side) {
  const [refusal, setRefusal] = useState<string>()
  const attempt = async (work: () => Promise<unknown>) => {
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      setRefusal(refusalInWords(error, side))
    }
  }
  return { refusal, attempt }
}

export function Refusal({ words }: { words: string | undefined }) {
  if (!words) return null
  return (
    <p class="note note-bad" role="alert">
      <Icon name="alert" size={18} />
      <span>{words}</span>
    </p>
  )
}
