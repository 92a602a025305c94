// The setup file of the project `postgres`.
import { recordStatements } from './statement-log.ts'

recordStatements()
