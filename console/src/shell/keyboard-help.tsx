// The list of keyboard shortcuts.
import { TEXTS } from '../texts/base.ts'
import { Dialog } from '../ui/dialog.tsx'

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={TEXTS.keyboard.title} onClose={onClose}>
      <dl class="shortcuts">
        {TEXTS.keyboard.keys.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
