// What a request reads or writes after its change was committed. If the database fails then, the request is answered as
// carried out: an error would make the client repeat a change that is already stored.
import { Problem } from '../contract/problems.ts'

export async function afterCommit<Result, Otherwise>(
  work: Promise<Result>,
  otherwise: Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Problem && error.problem === 'service.unavailable') return otherwise
    throw error
  }
}
