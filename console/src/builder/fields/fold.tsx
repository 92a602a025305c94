// Fields that are folded until they are wanted.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type FoldProps = {
  title: string
  // One of its fields shows an error. Unfolds it; a mended error does not fold it again.
  isFaulty?: boolean
  children: ComponentChildren
}

export function Fold({ title, isFaulty, children }: FoldProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isFaulty && details.current) details.current.open = true
  }, [isFaulty])
  return (
    <details class="fold" ref={details}>
      <summary>{title}</summary>
      <div class="form">{children}</div>
    </details>
  )
}
