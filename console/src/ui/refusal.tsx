// A refusal of the API next to the control that caused it: a dialog covers toasts.
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

// Runs actions and keeps the refusal of the last one, as a sentence.
export function useRefusal(inWords: (error: unknown) => string) {
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // Returns true on success.
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setRefusal(undefined)
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      setRefusal(inWords(error))
      return false
    } finally {
      setBusy(false)
    }
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
