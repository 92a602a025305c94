// Open share codes: shown again or deleted.
import type { ShareCodeView } from '../../../src/contract/share.ts'
import { api } from '../api/client.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Button } from '../ui/button.tsx'
import { Ago } from '../ui/time.tsx'
import { Refusal, useRefusal } from './refusal.tsx'
import { codeInGroups } from './share-code.ts'
import { whatIsShared } from './shared-what.ts'

const { code: words, roles } = SHARE_TEXTS

type OpenCodesProps = {
  codes: ShareCodeView[]
  // Whether each row says what the code shares.
  areMixed?: boolean
  onShow: (code: ShareCodeView) => void
  onChange: () => Promise<void>
}

export function OpenCodes({ codes, areMixed, onShow, onChange }: OpenCodesProps) {
  if (codes.length === 0) return <p class="muted">{SHARE_TEXTS.noCodes}</p>
  return (
    <ul class="share-rows">
      {codes.map((code) => (
        <CodeRow
          key={code.id}
          code={code}
          what={areMixed ? whatIsShared(code) : undefined}
          onShow={() => onShow(code)}
          onChange={onChange}
        />
      ))}
    </ul>
  )
}

type CodeRowProps = { code: ShareCodeView; what?: string; onShow: () => void; onChange: () => Promise<void> }

function CodeRow({ code, what, onShow, onChange }: CodeRowProps) {
  const { refusal, attempt } = useRefusal('share')
  const letters = codeInGroups(code.code)
  const remove = async () => {
    await api.delete(`/shares/codes/${code.id}`)
    await onChange()
  }
  return (
    <li>
      <div class="share-row">
        <span class="share-row-words">
          <strong class="share-row-code">{letters}</strong>
          <span class="muted">
            {what && `${what} · `}
            {roles[code.role]} · {words.used(code.use_count, code.max_uses)} · {words.expires}{' '}
            <Ago at={code.expires_at} />
          </span>
        </span>
        <Button size="small" label={words.showLabel(letters)} onClick={onShow}>
          {words.show}
        </Button>
        <Button
          size="small"
          look="danger"
          icon="trash"
          label={words.deleteLabel(letters)}
          onClick={() => attempt(remove)}
        />
      </div>
      <Refusal words={refusal} />
    </li>
  )
}
