// The secret of a new or rolled key, which is shown once.
import type { KeyWithSecret } from '../../../src/contract/keys/keys.ts'
import { curlCommand } from '../api/curl.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'

export function KeySecret({ apiKey, onClose }: { apiKey: KeyWithSecret; onClose: () => void }) {
  const authorization = { Authorization: `Bearer ${apiKey.key}` }
  const example = curlCommand(`${location.origin}/notifications`, authorization, SETUP_TEXTS.keys.exampleMessage)
  return (
    <Dialog title={SETUP_TEXTS.keys.secretTitle(apiKey.name)} onClose={onClose} isWide isPersistent>
      <p class="dialog-text">{SETUP_TEXTS.keys.secretText}</p>
      <Copyable text={apiKey.key} label={apiKey.name} />
      {apiKey.notifications && (
        <>
          <AddressTruth address={location.origin} isFor="program" />
          <p class="dialog-text">{SETUP_TEXTS.keys.tryIt}</p>
          <div class="curl">
            <Copyable text={example} label={SETUP_TEXTS.keys.example} />
          </div>
        </>
      )}
      <footer class="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {SETUP_TEXTS.keys.kept}
        </Button>
      </footer>
    </Dialog>
  )
}
