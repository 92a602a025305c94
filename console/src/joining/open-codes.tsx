// Open codes: shown again or deleted.
import { api, messageOf } from '../api/client.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { Button } from '../ui/button.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { Ago } from '../ui/time.tsx'
import { codeInGroups } from './join-code.ts'

type OpenCode = { id: string; code: string; max_uses: number; use_count: number; expires_at: string }

type OpenCodesProps<Code> = {
  codes: Code[]
  // Collection of the API that the codes are in.
  path: string
  // What the code is for.
  describe: (code: Code) => string
  onShow: (code: Code) => void
  onChange: () => Promise<void>
}

export function OpenCodes<Code extends OpenCode>({ codes, path, describe, onShow, onChange }: OpenCodesProps<Code>) {
  if (codes.length === 0) return <p class="muted">{JOIN_TEXTS.noCodes}</p>
  return (
    <ul class="person-rows">
      {codes.map((code) => (
        <CodeRow
          key={code.id}
          code={code}
          path={`${path}/${code.id}`}
          what={describe(code)}
          onShow={() => onShow(code)}
          onChange={onChange}
        />
      ))}
    </ul>
  )
}

type CodeRowProps = { code: OpenCode; path: string; what: string; onShow: () => void; onChange: () => Promise<void> }

function CodeRow({ code, path, what, onShow, onChange }: CodeRowProps) {
  const { refusal, attempt } = useRefusal(messageOf)
  const letters = codeInGroups(code.code)
  const remove = async () => {
    await api.delete(path)
    await onChange()
  }
  return (
    <li>
      <div class="person-row">
        <span class="person-row-words">
          <strong class="person-row-code">{letters}</strong>
          <span class="muted">
            {what} · {JOIN_TEXTS.used(code.use_count, code.max_uses)} · {JOIN_TEXTS.expires}{' '}
            <Ago at={code.expires_at} />
          </span>
        </span>
        <Button size="small" label={JOIN_TEXTS.showLabel(letters)} onClick={onShow}>
          {JOIN_TEXTS.show}
        </Button>
        <Button
          size="small"
          look="danger"
          icon="trash"
          label={JOIN_TEXTS.deleteLabel(letters)}
          onClick={() => attempt(remove)}
        />
      </div>
      <Refusal words={refusal} />
    </li>
  )
}
