// The members of every problem.
import { describe, expect, test } from 'vitest'
import { PROBLEMS, Problem, type ProblemName } from '../../src/contract/problems.ts'
import { problemBody } from '../../src/http/problem-reply.ts'

const NAMES = Object.keys(PROBLEMS) as ProblemName[]

describe('problemBody', () => {
  const isLimit = (name: ProblemName) => name.endsWith('limit_exceeded') && PROBLEMS[name].status !== 403
  test.each(NAMES.filter(isLimit))('%s is a limit: it has a retry after a second', (name) => {
    expect(problemBody(new Problem(name, 'Too many.'), 'id').retry_after_ms).toBe(1000)
    expect(problemBody(new Problem(name, 'Too many.', { retry_after_ms: 2000 }), 'id').retry_after_ms).toBe(2000)
  })

  test('a rate limit has a retry after a minute, and a permanent refusal has none', () => {
    expect(problemBody(new Problem('rate_limit.exceeded', 'Too many.'), 'id').retry_after_ms).toBe(60_000)
    expect(problemBody(new Problem('widget.not_found', 'None.'), 'id').retry_after_ms).toBeUndefined()
    // A limit of a plan does not go away by itself.
    const ofPlan = new Problem('permission.free_share_limit_exceeded', 'Too many.')
    expect(problemBody(ofPlan, 'id').retry_after_ms).toBeUndefined()
  })

  test('a list of violations has at most 50 entries, and says that there are more', () => {
    const errors = Array.from({ length: 1000 }, (_, i) => ({ location: `body.m${i}`, message: 'is wrong' }))
    const { errors: listed } = problemBody(new Problem('widget.content_invalid', 'Wrong.', { errors }), 'id')
    expect(listed).toHaveLength(50)
    expect(listed?.at(-1)?.message).toBe('has more violations than are listed here')
  })
})
