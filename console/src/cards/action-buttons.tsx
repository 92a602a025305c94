// The buttons of a card. Each opens its URL or calls it silently.
import type { WidgetAction } from '../../../src/contract/actions.ts'
import { Glyph } from './glyph.tsx'
import { useSurroundings } from './surroundings.ts'

type Props = {
  actions: WidgetAction[]
  // Whether an action with only a web URL opens it (activities) or calls it silently (widgets).
  isBrowserDefault: boolean
}

export function ActionButtons({ actions, isBrowserDefault }: Props) {
  const { press, viewer } = useSurroundings()
  if (!press || actions.length === 0) return null
  return (
    <span class="card-buttons">
      {actions.map((action, index) => (
        <button key={index} type="button" class="card-button" onClick={() => press.run(action, isBrowserDefault)}>
          {action.icon && <Glyph name={action.icon} />}
          <span>{action.title || viewer.value.words.open}</span>
        </button>
      ))}
    </span>
  )
}
