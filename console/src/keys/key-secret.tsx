// The secret of a new or rolled key, which is shown once.
import type { KeyWithSecret } from '../../../src/contract/integration-key.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'

export function KeySecret({ apiKey, onClose }: { apiKey: KeyWithSecret; onClose: () => void }) {
  const example = `curl ${location.origin}/notifications -H 'Authorization: Bearer ${apiKey.key}' -H 'Content-Type: application/json' -d '{"title": "Hello", "body": "It works."}'`
  return (
    <Dialog title={TEXTS.keys.secretTitle(apiKey.name)} onClose={onClose} isWide isPersistent>
      <p class="dialog-text">{TEXTS.keys.secretText}</p>
      <Copyable text={apiKey.key} label={apiKey.name} />
      {apiKey.notifications && (
        <>
          <p class="dialog-text">{TEXTS.keys.tryIt}</p>
          <Copyable text={example} label={TEXTS.keys.example} />
        </>
      )}
      <footer class="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {TEXTS.keys.kept}
        </Button>
      </footer>
    </Dialog>
  )
}
