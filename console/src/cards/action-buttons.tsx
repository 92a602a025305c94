// The buttons of a card. Each opens its URL or calls it silently.
import type { WidgetAction } from '../../../src/contract/actions.ts'
import { callSilently, isSilent } from '../inbox/silent-call.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Glyph } from './glyph.tsx'

type Props = {
  actions: WidgetAction[]
  // Whether an action with only a web URL opens it (activities) or calls it silently (widgets).
  isBrowserDefault: boolean
}

export function ActionButtons({ actions, isBrowserDefault }: Props) {
  if (actions.length === 0) return null
  return (
    <span class="card-buttons">
      {actions.map((action, index) => (
        <button key={index} type="button" class="card-button" onClick={() => runAction(action, isBrowserDefault)}>
          {action.icon && <Glyph name={action.icon} />}
          <span>{action.title || CARD_TEXTS.open}</span>
        </button>
      ))}
    </span>
  )
}

export async function runAction(action: WidgetAction, isBrowserDefault: boolean): Promise<void> {
  if (!isSilent(action) || (isBrowserDefault && isBare(action))) {
    window.open(action.url, '_blank', 'noopener,noreferrer')
    return
  }
  await attempt(() => callSilently(action), TEXTS.detail.called(action.title || action.url))
}

// An action with a URL and nothing else.
const isBare = ({ method, headers, body, foreground }: WidgetAction): boolean =>
  [method, headers, body, foreground].every((member) => member === undefined)
