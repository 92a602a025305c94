// The picture that some templates show.
import { type Static, type TObject, Type } from 'typebox'
import { OneOf, Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { at } from './content.ts'

export const IMAGE_FIELDS = {
  image_url: Type.Optional(Text(LIMITS.url.maxChars)),
  image_shape: Type.Optional(OneOf(['poster', 'square', 'circle'])),
  image_thumbhash: Type.Optional(
    Type.String({
      maxLength: LIMITS.activity.maxThumbhashChars,
      pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      description: 'padded base64',
    }),
  ),
}
type Image = Static<TObject<typeof IMAGE_FIELDS>>

// Devices fetch it by themselves, so all of them must read the address alike.
const PLAIN_HTTPS = /^https:\/\/(?:[\p{L}\p{N}._-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:[/?#][^\s\p{Cc}]*)?$/u

export function imageRules({ image_url: url }: Image): Violation[] {
  if (url === undefined || (PLAIN_HTTPS.test(url) && URL.canParse(url))) return []
  return [{ location: at('image_url'), message: 'must be an https url with a host, without user name or spaces' }]
}
