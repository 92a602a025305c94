// Shares and share codes as clients see them.
import type { JoinPreview, ShareCodeView, ShareView } from '../contract/shares.ts'
import type { UserId } from '../domain/caller.ts'
import { toRfc3339 } from '../domain/instant.ts'
import { patternOf, type Share, type ShareCode, type SharedSubject } from '../domain/shares/share.ts'

// The code is in the fragment, which browsers do not send, so no server or proxy logs it.
export function shareCodeView(code: ShareCode, publicUrl: string): ShareCodeView {
  return {
    id: code.id,
    code: code.code,
    share_url: `${publicUrl}/app/#share=${code.code}`,
    ...subjectView(code.subject),
    role: code.role,
    max_uses: code.maxUses,
    use_count: code.useCount,
    expires_at: toRfc3339(code.expiresAt),
    created_at: toRfc3339(code.createdAt),
  }
}

export function shareView(share: Share, reader: UserId): ShareView {
  return {
    id: share.id,
    direction: share.userId === reader ? 'given' : 'received',
    role: share.role,
    ...subjectView(share.subject),
    ...ownerView(share),
    recipient_id: share.recipientId,
    recipient_nickname: share.recipientNickname ?? undefined,
    created_at: toRfc3339(share.createdAt),
  }
}

export function joinPreview({ role, subject, ...share }: Share): JoinPreview {
  const { slug, slug_pattern } = subjectView(subject)
  return { valid: true, would: { role, slug, slug_pattern, ...ownerView(share) } }
}

const ownerView = ({ userId, ownerNickname }: Pick<Share, 'userId' | 'ownerNickname'>) => ({
  owner_id: userId,
  owner_nickname: ownerNickname ?? undefined,
})

function subjectView(subject: SharedSubject): Pick<ShareView, 'slug' | 'activity_id' | 'slug_pattern'> {
  return subject.kind === 'activity'
    ? { slug: subject.slug, activity_id: subject.activityId }
    : { slug_pattern: patternOf(subject.slugPrefix) }
}
