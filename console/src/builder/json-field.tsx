// The content as JSON text, for members that have no field in the form.

import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { CodeArea } from '../ui/field.tsx'
import type { Content } from './fields/document.ts'

type JsonProps = { content: Content; onChange: (content: Content) => void; onBroken: (isBroken: boolean) => void }

const { builder } = CARD_TEXTS

export function JsonField({ content, onChange, onBroken }: JsonProps) {
  const [text, setText] = useState(() => toText(content))
  const [error, setError] = useState<string>()
  // The content was changed by another field: replace the text unless it already parses to the same content.
  useEffect(() => {
    const read = parse(text)
    if (!read.content || JSON.stringify(read.content) !== JSON.stringify(content)) {
      setText(toText(content))
      setError(undefined)
      onBroken(false)
    }
  }, [content])
  const type = (typed: string) => {
    const read = parse(typed)
    setText(typed)
    setError(read.error)
    onBroken(read.error !== undefined)
    if (read.content) onChange(read.content)
  }
  const rows = Math.min(Math.max(text.split('\n').length, 8), 26)
  return <CodeArea label={builder.json} hint={builder.jsonHint} error={error} value={text} rows={rows} onInput={type} />
}

const toText = (content: Content): string => JSON.stringify(content, null, 2)

function parse(text: string): { content: Content; error?: undefined } | { content?: undefined; error: string } {
  try {
    const content = JSON.parse(text)
    const isObject = typeof content === 'object' && content !== null && !Array.isArray(content)
    return isObject ? { content } : { error: builder.noObject }
  } catch (error) {
    return { error: builder.malformed(messageOf(error)) }
  }
}
