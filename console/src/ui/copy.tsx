// A secret or command, shown in full with a button that copies it.
import './copy.css'
import { useState } from 'preact/hooks'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from './button.tsx'

export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await attempt(() => navigator.clipboard.writeText(text)))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <div class="copyable">
      <code>{text}</code>
      <Button size="small" icon={isCopied ? 'check' : 'copy'} label={`${TEXTS.copy}: ${label}`} onClick={copy}>
        {isCopied ? TEXTS.copied : TEXTS.copy}
      </Button>
    </div>
  )
}
