// What a screen link shows, and the address of its first thing.
import type { ScreenView, ScreenWithToken } from '../../../src/contract/screens/links.ts'
import { slugsInWords } from '../keys/levels.ts'
import { SCREEN_TEXTS } from '../texts/wall.ts'

export type Shown = Pick<ScreenView, 'widgets' | 'activities' | 'wall'>
export const NOTHING: Shown = { widgets: [], activities: [], wall: false }

export const showsSomething = ({ widgets, activities, wall }: Shown): boolean =>
  wall || widgets.length + activities.length > 0

export const shownInWords = ({ widgets, activities, wall }: Shown): string =>
  [
    ...widgets.map((slug) => slugsInWords([slug])),
    ...activities.map((slug) => SCREEN_TEXTS.activity(slugsInWords([slug]))),
    ...(wall ? [SCREEN_TEXTS.wall] : []),
  ].join(', ')

export function pictureOf({ widgets, activities }: ScreenWithToken, url: string): string {
  const [widget] = widgets.filter(isSlug)
  const [activity] = activities.filter(isSlug)
  if (widget) return `${url}/widgets/${widget}.png`
  return activity ? `${url}/activities/${activity}.png` : `${url}/wall.png`
}

const isSlug = (slug: string): boolean => !slug.endsWith('*')
