// The frame of a page of on-call: a page of the account, or a part of the page of an organization.
import type { ComponentChildren } from 'preact'
import { Page } from '../ui/page.tsx'
import type { Place } from './place.ts'

type FrameProps = {
  place: Place
  title: string
  intro?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

export function Frame({ place, title, intro, actions, children }: FrameProps) {
  if (!place.organization) return <Page {...{ title, intro, actions, children }} />
  return (
    <>
      <div class="page-head">
        <div>
          <h2 class="section-title" dir="auto">
            {title}
          </h2>
          {intro && <p class="muted">{intro}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}
