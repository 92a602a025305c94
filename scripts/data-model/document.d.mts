type Column = { name: string; type: string; isNumbered: boolean; isNullable: boolean; keyPosition: number }
type Table = {
  columns: Column[]
  foreignKeys: { columns: string[]; target: string }[]
  indexes: { name?: string; columns: string[]; isUnique: boolean; where?: string }[]
}
type Description = { is: string; columns?: Record<string, string>; refersTo?: Record<string, string> }
type Area = { title: string; tables: Record<string, Description> }

export function dataModel(): Promise<string>
export function descriptionFaults(schema: Record<string, Table>, areas: Area[]): string[]
export function toMarkdown(schema: Record<string, Table>, areas: Area[], writers: Record<string, string[]>): string
