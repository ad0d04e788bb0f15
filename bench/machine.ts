/** The machine and the date of a benchmark, for the pages that report its figures. */
import { availableParallelism, totalmem } from 'node:os'

export const machine = `${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node ${process.version}`

/** `2026-10-01` */
export const today = (): string => new Date().toISOString().slice(0, 10)
