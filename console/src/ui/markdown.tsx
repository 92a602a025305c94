// Draws a Markdown message. Only elements made here reach the page: HTML in the text is shown as text, pictures are links
// (to load one would tell its server who reads), and links have only addresses that a browser opens safely.
import { Marked, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { Linked } from './linked.tsx'

const marked = new Marked({ gfm: true, breaks: true })

export function Markdown({ text }: { text: string }) {
  const tokens = read(text)
  if (!tokens) {
    return (
      <p class="detail-body">
        <Linked text={text} />
      </p>
    )
  }
  return (
    <div class="markdown" dir="auto">
      {drawAll(tokens)}
    </div>
  )
}

// Text that nests deeper than the parser can follow stays as it was written.
function read(text: string): Token[] | undefined {
  try {
    return marked.lexer(text)
  } catch {
    return undefined
  }
}

const drawAll = (tokens: Token[] = []): ComponentChildren => tokens.map(draw)

function draw(token: Token): ComponentChildren {
  switch (token.type) {
    case 'paragraph':
      return <p>{drawAll(token.tokens)}</p>
    case 'heading':
      return <h3>{drawAll(token.tokens)}</h3>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{drawAll(token.tokens)}</blockquote>
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'strong':
      return <strong>{drawAll(token.tokens)}</strong>
    case 'em':
      return <em>{drawAll(token.tokens)}</em>
    case 'del':
      return <del>{drawAll(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link address={token.href}>{drawAll(token.tokens)}</Link>
    case 'image':
      return <Link address={token.href}>{token.text || token.href}</Link>
    case 'space':
    case 'def':
      return null
    case 'text':
      return token.tokens ? drawAll(token.tokens) : token.text
    case 'escape':
      return token.text
    default:
      return token.raw
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => <li key={index}>{drawAll(item.tokens)}</li>)
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above.
    <div class="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{drawAll(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{drawAll(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const SAFE = /^(?:https?:\/\/|mailto:)/i

function Link({ address, children }: { address: string; children: ComponentChildren }) {
  if (!SAFE.test(address)) return <>{children}</>
  // The title shows where the link leads: its text is the sender's.
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
