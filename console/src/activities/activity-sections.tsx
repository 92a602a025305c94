// Activities in sections by their state.
import type { ComponentChildren } from 'preact'
import { answeredHere } from '../cards/activity/answered-here.ts'
import type { ActivityView } from '../cards/activity/view.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { ActivityGrid } from './activity-grid.tsx'
import { MAX_ONGOING, ownOngoing, SECTIONS, type Section, sectionOf } from './sections.ts'

const { activities: words } = CARD_TEXTS

type ActivitySectionsProps = {
  activities: ActivityView[]
  pageOf: (activity: ActivityView) => string | undefined
  children: (activity: ActivityView) => ComponentChildren
}

export function ActivitySections({ activities, pageOf, children }: ActivitySectionsProps) {
  return (
    <>
      {SECTIONS.map((section) => {
        const shown = activities.filter((activity) => sectionOf(activity, answeredHere.value) === section)
        if (shown.length === 0) return null
        return (
          <section key={section} class="card-section">
            <h2 class="section-title">{titleOf(section, activities)}</h2>
            {section === 'preempted' && <p class="muted">{words.setAsideHint}</p>}
            <ActivityGrid activities={shown} pageOf={pageOf}>
              {children}
            </ActivityGrid>
          </section>
        )
      })}
    </>
  )
}

function titleOf(section: Section, activities: ActivityView[]): string {
  return section === 'ongoing' ? words.ongoingOf(ownOngoing(activities).length, MAX_ONGOING) : words.states[section]
}
