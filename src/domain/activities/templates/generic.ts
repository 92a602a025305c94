// Anything with a state and a bar: a download, a washing machine.
import { LIVE_FIELDS, liveRules, withDates, withoutLiveProgress } from './dates.ts'
import { IMAGE_FIELDS, imageRules } from './image.ts'
import { defineTemplate } from './template.ts'

export const generic = defineTemplate(
  { ...LIVE_FIELDS, ...IMAGE_FIELDS },
  {
    required: [],
    rules: (content, change) => [...liveRules(content, change), ...imageRules(content)],
    derive: withDates,
    end: withoutLiveProgress,
  },
)
