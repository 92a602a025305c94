// The statements that the service can run: every template with the tag `sql` in src/store.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

// `place`: file and line. `chunks`: the text around the values and the parts that are put in.
export type StatementTemplate = { place: string; chunks: string[] }

const STORE = fileURLToPath(new URL('../../../src/store/', import.meta.url))
// test/store/migrations.test.ts runs every migration on both databases.
const LEFT_OUT = /^(migrations|engine\/sqlite)\//

export function listStatementTemplates(): StatementTemplate[] {
  const files = readdirSync(STORE, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file))
    .flatMap((file) => templatesIn(file, readFileSync(STORE + file, 'utf8')))
}

export function templatesIn(file: string, code: string): StatementTemplate[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest)
  const found: StatementTemplate[] = []
  const tables = new Map<string, string>()
  // `from`: the text before a template that is given to `rowsOf(table, …)`.
  const visit = (node: ts.Node, from = '') => {
    if (ts.isVariableDeclaration(node)) noteTable(tables, node, source)
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql') {
      const { line } = source.getLineAndCharacterOfPosition(node.tag.end)
      const [first = '', ...more] = chunksOf(node.template)
      found.push({ place: `${file}:${line + 1}`, chunks: [from + first, ...more] })
    }
    const table = tables.get(rowsReadBy(node) ?? '')
    ts.forEachChild(node, (child) => visit(child, table === undefined ? '' : ` from ${table} `))
  }
  visit(source)
  return found
}

// `const ROWS = rowsOf<Thing>('things', …)` or `const OTHERS = ROWS.as(…)`.
function noteTable(tables: Map<string, string>, { name, initializer }: ts.VariableDeclaration, source: ts.SourceFile) {
  const value = initializer?.getText(source) ?? ''
  const table = /^rowsOf<.*?>\(\s*(['`])(.*?)\1/s.exec(value)?.[2] ?? tables.get(/^(\w+)\.as\(/.exec(value)?.[1] ?? '')
  if (table !== undefined) tables.set(name.getText(source), table)
}

// Which constant's method is called: ROWS in `ROWS.first(db, …)`.
const rowsReadBy = (node: ts.Node): string | undefined =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  ts.isIdentifier(node.expression.expression)
    ? node.expression.expression.text
    : undefined

const chunksOf = (template: ts.TemplateLiteral): string[] =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]

// A statement, or a part of one, was run if its chunks are in the text of one that was run, in this order.
export function isRun({ chunks }: StatementTemplate, text: string): boolean {
  let from = 0
  return chunks.every((chunk) => {
    const at = text.indexOf(chunk, from)
    from = at + chunk.length
    return at >= 0
  })
}
