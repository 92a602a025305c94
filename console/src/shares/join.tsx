// The page behind a share link.
import type { JoinPreview, ShareView } from '../../../src/contract/shares.ts'
import { type Joining, JoinPage } from '../joining/join-page.tsx'
import { SHARE_LINK } from '../state/join-links.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { joinRefusal } from './refusal-words.ts'

const { join } = SHARE_TEXTS

const JOINING: Joining<JoinPreview['would'], ShareView> = {
  link: SHARE_LINK,
  title: join.title,
  joinPath: '/shares/join',
  describe: ({ owner_nickname, role, slug, slug_pattern }) => {
    const what = slug_pattern ? join.pattern(slug_pattern) : join.activity(slug ?? '')
    const effect = slug_pattern ? join.patternEffect : join.effect
    return { heading: join.heading(owner_nickname, what), facts: [join.roles[role], effect] }
  },
  refusalInWords: joinRefusal,
  pathOf: ({ activity_id }) => (activity_id ? `/app/activities/${activity_id}` : '/app/activities'),
}

export function JoinSharePage() {
  return <JoinPage joining={JOINING} />
}
