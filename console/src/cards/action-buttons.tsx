// The buttons of a card: each opens its address, or calls it silently.
import type { WidgetAction } from '../../../src/contract/actions.ts'
import { fire, isSilent } from '../inbox/fire.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Glyph } from './glyph.tsx'

type Props = {
  actions: WidgetAction[]
  // Whether a bare web address opens, as on activities, or is called, as on widgets.
  isBrowserDefault: boolean
}

export function ActionButtons({ actions, isBrowserDefault }: Props) {
  if (actions.length === 0) return null
  return (
    <span class="card-buttons">
      {actions.map((action, index) => (
        <button key={index} type="button" class="card-button" onClick={() => carryOut(action, isBrowserDefault)}>
          {action.icon && <Glyph name={action.icon} />}
          <span>{action.title || CARD_TEXTS.open}</span>
        </button>
      ))}
    </span>
  )
}

export async function carryOut(action: WidgetAction, isBrowserDefault: boolean): Promise<void> {
  if (!isSilent(action) || (isBrowserDefault && isBare(action))) {
    window.open(action.url, '_blank', 'noopener,noreferrer')
    return
  }
  await attempt(() => fire(action), TEXTS.detail.called(action.title || action.url))
}

// Nothing but an address.
const isBare = ({ method, headers, body, foreground }: WidgetAction): boolean =>
  [method, headers, body, foreground].every((member) => member === undefined)
