// A share code to give to others.
import type { ShareCodeView } from '../../../src/contract/shares.ts'
import { ShownCode } from '../joining/shown-code.tsx'
import { SHARE_TEXTS } from '../texts/shares.ts'

export function ShareCode({ code }: { code: ShareCodeView }) {
  const lead = SHARE_TEXTS.code.lead(code.max_uses - code.use_count, code.role)
  return <ShownCode code={code.code} url={code.share_url} lead={lead} expiresAt={code.expires_at} />
}
