// The size of content, and the problem of content that is refused. Members that no template has are kept, nested ones
// too, so the whole is bounded: as it is sent, before any work per member, and as it is stored. The history of a timeline
// has bounds of its own and is stored elsewhere.
import { LIMITS } from '../../contract/limits.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { inOneSentence } from '../../contract/validation.ts'
import type { ActivityContent } from './templates/content.ts'
import type { TemplateName } from './templates/templates.ts'

export function requireBoundedSize(content: ActivityContent): void {
  const { values, chars } = sizeOf(content)
  if (values <= LIMITS.activity.maxContentValues && chars <= LIMITS.activity.maxContentChars) return
  const most = `${LIMITS.activity.maxContentValues} values and ${LIMITS.activity.maxContentChars} characters`
  throw activityContentInvalid([{ location: 'body.content', message: `must have at most ${most} in all` }])
}

function sizeOf(content: ActivityContent): { values: number; chars: number } {
  let values = 0
  let chars = 0
  const visit = (node: unknown) => {
    values += 1
    if (typeof node === 'string') chars += node.length
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(visit)
    for (const [name, member] of Object.entries(node)) {
      chars += name.length
      visit(member)
    }
  }
  for (const member in content) {
    chars += member.length
    if (member !== 'history') visit(content[member])
  }
  return { values, chars }
}

export function activityContentInvalid(errors: Violation[], template?: TemplateName): Problem {
  const sentence = inOneSentence(errors)
  const detail = template ? `With the template ${template}, ${sentence}` : sentence
  return new Problem('activity.content_invalid', detail, { errors })
}
