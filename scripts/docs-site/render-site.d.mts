export type RenderedPage = {
  page: { file: string; path: string; title: string }
  headings: { depth: number; id: string; text: string }[]
  html: string
}

export function renderSite(root: string): RenderedPage[]
