// A secret or command, shown in full with a button that copies it. Where the browser refuses, the text is selected.
import './copy.css'
import { useRef, useState } from 'preact/hooks'
import { TEXTS } from '../texts/base.ts'
import { Button } from './button.tsx'

export function Copyable({ text, label }: { text: string; label: string }) {
  const shown = useRef<HTMLElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle')
  const copy = async () => {
    const isCopied = await copyText(text, shown.current)
    setState(isCopied ? 'copied' : 'selected')
    setTimeout(() => setState('idle'), isCopied ? 2000 : 6000)
  }
  return (
    <div class="copyable">
      <code ref={shown}>{text}</code>
      <Button
        size="small"
        icon={state === 'copied' ? 'check' : 'copy'}
        label={`${TEXTS.copy}: ${label}`}
        onClick={copy}
      >
        {TEXTS.copyStates[state]}
      </Button>
    </div>
  )
}

async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // navigator.clipboard exists in secure contexts only: not on http://192.168.1.5:8080.
    return copyByCommand(text, shown)
  }
}

// Selects what is shown, and copies `text` in its place: a selection has other line breaks.
function copyByCommand(text: string, shown: HTMLElement | null): boolean {
  if (shown) getSelection()?.selectAllChildren(shown)
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', fill)
  }
}
