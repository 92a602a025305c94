// A refusal of the API next to the control that caused it: a dialog covers toasts.
import { useState } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import { refusalInWords, type Side } from './refusal-words.ts'

// Runs actions and keeps the refusal of the last one.
export function useRefusal(side: Side) {
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>) => {
    setRefusal(undefined)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setRefusal(refusalInWords(error, side))
    }
    setBusy(false)
  }
  return { refusal, isBusy, attempt }
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
