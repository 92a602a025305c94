// Markdown as the plain text that pushes and lists show.
import { describe, expect, test } from 'vitest'
import { withoutMarks } from '../../../src/domain/notifications/markdown.ts'

describe('the text of a Markdown message without its marks', () => {
  test.each([
    ['**Backup** of *db01* ~~worked~~ failed', 'Backup of db01 worked failed'],
    ['***all*** __of__ _it_', 'all of it'],
    ['**the *inner* word**', 'the inner word'],
    ['see [the log](https://example.org/a) or <https://example.org/b>', 'see the log or https://example.org/b'],
    ['![a chart](https://example.org/c.png)', 'a chart'],
    ['[`db01`](https://example.org)', 'db01'],
    ['run `rm -rf *` and ``a*b*c``', 'run rm -rf * and a*b*c'],
    ['# Title\n## Part', 'Title\nPart'],
    ['> quoted\n> > twice', 'quoted\ntwice'],
    ['- one\n  * two\n+ three\n1. four', '• one\n  • two\n• three\n1. four'],
    ['before\n\n---\n\nafter', 'before\n\n\nafter'],
    ['```sh\n**kept** _as_ is\n```', '**kept** _as_ is'],
    ['2 * 3 * 4, snake_case_name, a lone *, \\*escaped\\*', '2 * 3 * 4, snake_case_name, a lone *, *escaped*'],
    ['plain text, 100 %', 'plain text, 100 %'],
    ['a ` alone and **bold**', 'a ` alone and bold'],
    ['***', '***'],
    ['', ''],
  ])('%j is %j', (markdown, text) => {
    expect(withoutMarks(markdown)).toBe(text)
  })
})
