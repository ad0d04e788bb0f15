/** The built program with files to import, a simulator, and helpers to inspect the result of an import. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import papa from 'papaparse'
import type { LoggedRequest } from '../../../src/contract/control/records.js'
import type { Lead } from '../../../src/contract/leads.js'
import type { Simulation } from '../simulate.js'
import { SvcAt } from './svc-at.js'
import type { Ran, Words } from './svc.js'

export interface Imported {
  added: number
  requeued: number
  refused: number
  already_added: number
  would_add: number
  by_code: Record<string, number>
  failed_file: string | null
}

/** The part of a batch request that tests compare. */
export interface SentBatch {
  dry_run?: boolean
  leads: Record<string, unknown>[]
}

export class ImportAt {
  static async start(...options: Parameters<typeof SvcAt.start>): Promise<ImportAt> {
    return new ImportAt(await SvcAt.start(...options))
  }

  private constructor(readonly at: SvcAt) {}

  get simulation(): Simulation {
    return this.at.simulation
  }

  path(name: string): string {
    return join(this.at.svc.folder, name)
  }

  /** Writes a file into the program's working directory. */
  file(name: string, content: string | Buffer): string {
    writeFileSync(this.path(name), content)
    return name
  }

  /** Writes a file with `count` leads, each with a different phone number. */
  leads(count: number, name = 'people.csv'): string {
    const rows = Array.from({ length: count }, (_, at) => `Lead ${at},${numberOf(at)}`)
    return this.file(name, `name,phone\n${rows.join('\n')}\n`)
  }

  run(file: string, flags: readonly string[] = [], words: Words = {}): Promise<Ran> {
    return this.at.run(this.words(file, flags), words)
  }

  words(file: string, flags: readonly string[] = []): string[] {
    return ['leads', 'import', file, '--campaign', this.simulation.campaignId, ...flags]
  }

  /** The result that the import prints as JSON. */
  async imported(file: string, flags: readonly string[] = [], words: Words = {}): Promise<Imported> {
    const { stdout, stderr } = await this.run(file, [...flags, '--json'], words)
    if (stdout === '') throw new Error(`nothing was imported: ${stderr}`)
    return JSON.parse(stdout) as Imported
  }

  /** Every lead of the account, in the order they were added. */
  async taken(): Promise<Lead[]> {
    return (await this.at.client.all<Lead>('/leads')).reverse()
  }

  /** The rows of a file of refused rows, as records. */
  refused(name = 'people.failed.csv'): Record<string, string>[] {
    const text = readFileSync(this.path(name), 'utf8')
    return papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data
  }

  has(name: string): boolean {
    return existsSync(this.path(name))
  }

  /** The requests of the last batches, oldest first. */
  async batches(limit = 1000): Promise<(LoggedRequest & { sent: SentBatch })[]> {
    const log = await this.simulation.control<LoggedRequest[]>('GET', `/_sim/requests?limit=${limit}&path=/leads/batch`)
    return log.reverse().map((one) => ({ ...one, sent: one.request_body as SentBatch }))
  }
}

/** A phone number that occurs once per file. */
export const numberOf = (at: number): string => `+1646${201 + Math.floor(at / 9000)}${1000 + (at % 9000)}`
