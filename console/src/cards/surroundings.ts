// What a card needs of where it is drawn: for whom, the drawings of icons, and what its buttons do. The console draws it live and
// its buttons work; in a picture nothing can be pressed, so there are no buttons.
import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { WidgetAction } from '../../../src/contract/actions.ts'
import type { ApprovalOption, ShownActivity } from '../../../src/domain/screens/activity-content.ts'
import type { Viewer } from '../../../src/domain/screens/viewer.ts'

export type Press = {
  // `isBrowserDefault`: whether an action with only a web URL opens it (activities) or calls it silently (widgets).
  run: (action: WidgetAction, isBrowserDefault: boolean) => void
  answer: (activity: ShownActivity, option: ApprovalOption) => void
  snooze: (activity: ShownActivity) => void
}

export type Surroundings = {
  // A signal in the console, so that cards follow the clock.
  viewer: { readonly value: Viewer }
  // The inside of the <svg> of an icon.
  IconDrawing: ComponentType<{ name: string }>
  press?: Press
  // Otherwise what a colour says is written as a word.
  hasColors: boolean
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined)

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext)
  if (!surroundings) throw new ReferenceError('SurroundingsContext')
  return surroundings
}

export const useViewer = (): Viewer => useSurroundings().viewer.value
