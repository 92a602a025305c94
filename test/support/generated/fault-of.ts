// What is wrong with the answer to a generated request: a 5xx, an error that is no problem document, an undeclared status.
import { PROBLEMS, type ProblemName, problemCode } from '../../../src/contract/problems.ts'
import type { ApiDescription, GeneratedRequest } from './request-arbitrary.ts'
import type { GeneratedAnswer } from './send-generated.ts'

const CODES = new Set(Object.keys(PROBLEMS).map((name) => problemCode(name as ProblemName)))

type FaultFinder = (request: GeneratedRequest, answer: GeneratedAnswer) => string | undefined

// Returns a function that describes the error in an answer, if any.
export function createFaultFinder(api: ApiDescription): FaultFinder {
  const declaredStatuses = statusesByPath(api)
  return ({ method, path }, answer) => {
    if (answer.status >= 500) return `${answer.status} ${answer.body}`
    if (answer.status < 400 || method === 'HEAD') return undefined
    // The page on which a person answers.
    if (method === 'GET' && path.startsWith('/answers/') && answer.type.startsWith('text/html')) return undefined
    // A screen shows a small picture instead of the one that it cannot have.
    if (path.startsWith('/s/') && answer.type.startsWith('image/')) return undefined
    if (!answer.type.startsWith('application/problem+json')) return `${answer.status} as ${answer.type}`
    const { code, status } = JSON.parse(answer.body)
    if (!CODES.has(code) || status !== answer.status) return `${answer.status} with ${answer.body}`
    const declared = declaredStatuses(method, path)
    return declared && !declared.includes(String(status)) ? `${status} ${code} is not declared` : undefined
  }
}

// Undefined where there is no such route. Literal paths come before those with parameters.
function statusesByPath(api: ApiDescription): (method: string, path: string) => string[] | undefined {
  const routes = Object.entries(api.paths)
    .toSorted(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
    .map(([template, operations]) => ({
      pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      operations: operations as Record<string, { responses?: object }>,
    }))
  return (method, path) => {
    const location = path.split('?')[0] as string
    const route = routes.find(({ pattern }) => pattern.test(location))
    const responses = route?.operations[method.toLowerCase()]?.responses
    return responses && Object.keys(responses)
  }
}
