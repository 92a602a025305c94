// The button that makes a screen link for one widget, one activity or the wall.
import { useState } from 'preact/hooks'
import type { ScreenWithToken } from '../../../src/contract/screens/links.ts'
import { SCREEN_TEXTS } from '../texts/wall.ts'
import { Button } from '../ui/button.tsx'
import { NOTHING, type Shown } from './link.ts'
import { LinkForm } from './link-form.tsx'
import { MadeLink } from './made-link.tsx'

type Props = { name: string; shows: Partial<Shown>; text?: string }

export function ShowOnScreen({ name, shows, text = SCREEN_TEXTS.show }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<ScreenWithToken>()
  const close = () => {
    setOpen(false)
    setMade(undefined)
  }
  return (
    <>
      <Button icon="computer" onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && !made && (
        <LinkForm
          title={SCREEN_TEXTS.showTitle(name)}
          shows={{ ...NOTHING, ...shows }}
          onMade={setMade}
          onClose={close}
        />
      )}
      {made && <MadeLink link={made} onClose={close} />}
    </>
  )
}
