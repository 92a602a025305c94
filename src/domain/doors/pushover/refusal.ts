// A request that Pushover would refuse, too: the field that is wrong, and what is wrong with it, in Pushover's words.
import { Problem } from '../../../contract/problems.ts'

export class PushoverRefusal extends Problem {
  readonly field: string
  // Follows the name of the field.
  readonly reason: string
  // The sentence, if it is not the field and the reason.
  readonly sentence: string

  constructor(field: string, reason: string, sentence = `${field} ${reason}`) {
    super('request.body_invalid', sentence)
    this.field = field
    this.reason = reason
    this.sentence = sentence
  }
}
