// A widget in every family: home screen, then lock screen.
import { CARD_TEXTS } from '../../texts/cards.ts'
import { WidgetCard } from './card.tsx'
import { HOME_FAMILIES, LOCK_FAMILIES, type ShownWidget } from './face.ts'

export function WidgetFamilies({ widget }: { widget: ShownWidget }) {
  return (
    <div class="families">
      {HOME_FAMILIES.map((family) => (
        <figure key={family} class="family">
          <WidgetCard widget={widget} family={family} />
          <figcaption>{CARD_TEXTS.families[family]}</figcaption>
        </figure>
      ))}
      <figure class="family">
        <div class="lock-screen">
          {LOCK_FAMILIES.map((family) => (
            <WidgetCard key={family} widget={widget} family={family} />
          ))}
        </div>
        <figcaption>{CARD_TEXTS.lockScreen}</figcaption>
      </figure>
    </div>
  )
}
