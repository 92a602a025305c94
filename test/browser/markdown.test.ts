// A message in Markdown, as ntfy and Gotify send it: drawn with its marks, without anything that its text could smuggle in.
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { seriousViolations } from '../support/browser/accessibility.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { PHONE, takePicture } from '../support/browser/pictures.ts'

const app = useTestApp()
const browser = useBrowser()

const MESSAGE = `## Backup of *db01*

**Failed** after \`3 min\`, see [the log](https://example.org/log).

- disk full
- <img src=x onerror="document.title='owned'">
- [run](javascript:document.title='owned')
- ![chart](https://example.org/chart.png)

| Disk | Used |
|------|------|
| sda  | 99 % |

\`\`\`
ERROR: could not write block
\`\`\`
`

test('is drawn; HTML in it is text, links have only safe addresses, pictures are not loaded', async () => {
  const user = await app.addUser()
  const headers = { authorization: `Bearer ${user.defaultKey}`, markdown: 'yes', title: 'Backup' }
  expect((await fetch(`${app.url}/ntfy/backup`, { method: 'POST', headers, body: MESSAGE })).status).toBe(200)
  const { page } = await browser.openConsole(app, user, PHONE)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.getByText('Failed after 3 min, see the log.').waitFor()
  await page.getByRole('link', { name: 'Backup' }).click()
  await page.getByRole('heading', { name: 'Backup of db01' }).waitFor()
  const drawn = page.locator('.markdown')
  expect(await drawn.locator('strong').textContent()).toBe('Failed')
  expect(await drawn.getByRole('cell').allTextContents()).toEqual(['sda', '99 %'])
  expect(await drawn.locator('pre').textContent()).toBe('ERROR: could not write block')
  const addresses = await drawn.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(addresses).toEqual(['https://example.org/log', 'https://example.org/chart.png'])
  expect(await drawn.locator('img').count()).toBe(0)
  expect(await drawn.textContent()).toContain('<img src=x')
  expect(requested.filter((address) => address.includes('example.org'))).toEqual([])
  expect(await seriousViolations(page)).toEqual([])
  await takePicture(page, 'markdown-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await takePicture(page, 'markdown-dark')
})
