// The button that makes this browser receive notifications; where it cannot, the reason, and on an iPhone the way to it.
import { addThisBrowser, canPush, needsInstalling, suggestedName } from '../state/this-browser.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.tsx'

const InstallGuide = lazy(async () => (await import('../phones/install-guide.tsx')).InstallGuide)

type AddThisBrowserProps = { look?: 'primary' | 'plain'; onAdded: () => Promise<void> }

export function AddThisBrowser({ look = 'primary', onAdded }: AddThisBrowserProps) {
  const { thisBrowser: words } = TEXTS
  if (needsInstalling()) return <InstallGuide />
  if (!canPush()) return <p class="note">{words.unsupported}</p>
  const add = async () => {
    if (await attempt(() => addThisBrowser(suggestedName()), words.added)) await onAdded()
  }
  return (
    <div>
      <Button look={look} onClick={add}>
        {words.add}
      </Button>
    </div>
  )
}
