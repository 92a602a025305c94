// Activities as a grid of cards, each with its name.
import '../styles/card-shapes.css'
import '../styles/activity.css'
import '../styles/activity-faces.css'
import '../styles/activity-chart.css'
import '../styles/card-pages.css'
import type { ComponentChildren } from 'preact'
import { ActivityCard } from '../cards/activity/card.tsx'
import type { ActivityView } from '../cards/activity/view.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Ago } from '../ui/time.tsx'

type ActivityGridProps = {
  activities: ActivityView[]
  // Page of an activity; undefined if it has none.
  pageOf: (activity: ActivityView) => string | undefined
  // What is shown below the name.
  children: (activity: ActivityView) => ComponentChildren
}

export function ActivityGrid({ activities, pageOf, children }: ActivityGridProps) {
  return (
    <ul class="card-grid">
      {activities.map((activity) => (
        <li key={activity.id} class="grid-item">
          <ActivityCard activity={activity} />
          <p class="grid-caption">
            <Name activity={activity} page={pageOf(activity)} />
            <span class="muted">
              {CARD_TEXTS.changed} <Ago at={activity.updated_at} />
            </span>
          </p>
          {children(activity)}
        </li>
      ))}
    </ul>
  )
}

function Name({ activity: { name }, page }: { activity: ActivityView; page: string | undefined }) {
  return page ? (
    <a href={page} dir="auto">
      {name}
    </a>
  ) : (
    <strong dir="auto">{name}</strong>
  )
}
