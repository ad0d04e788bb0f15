/** Base class of every command: parses its words, gives it client, printer and prompts, and reports how it ended. */
import { Command } from '@oclif/core/command'
import type { Interfaces } from '@oclif/core'
import type { Client, Contract } from '../../client/client.js'
import type { TransportOptions } from '../../client/transport.js'
import { Profiles } from '../../config/profiles.js'
import { processIO } from '../../config/environment.js'
import { resolveSettings, type Settings } from '../../config/settings.js'
import type { Format } from '../../output/format.js'
import type { JqFilter } from '../../output/jq.js'
import type { ResourceColumns } from '../../output/columns/resources.js'
import { maskSecrets, maskSecretsIn } from '../../output/mask.js'
import type { Printer, Listing } from '../../output/printer.js'
import { stripControls } from '../../output/sanitize.js'
import { canRedraw } from '../../output/style.js'
import { ExitError, InterruptedError } from '../errors/exit-codes.js'
import { formatFailureJson, describeFailure, formatFailureText } from '../errors/report-error.js'
import { durationMs, globalFlags, type GlobalFlags } from './flags.js'
import type { MissingValue } from '../input/questions/prompt-for-missing.js'
import type { Choice } from '../input/questions/questions.js'
import { carriedFlags, carryFlags } from './carried-flags.js'
import { Connection } from './connection.js'
import { Prompts } from './prompts.js'
import { Screen } from './screen.js'
import { helpHint, withExample } from '../errors/help-hint.js'
import { createRequestLogger } from './request-logger.js'
import { wantsJson } from './wants-json.js'
import { flagOfParam } from '../errors/flag-of-param.js'
import { stepsIfInvalidPhone } from '../errors/invalid-phone.js'
import { explainTypeError } from '../errors/unreadable-answer.js'
import { usageErrorOf } from '../errors/parser-error.js'
import { cancelled, UsageError } from '../errors/usage-error.js'
import { withExtraWordAsField, withJsonFields } from './json-fields.js'
import { listGivenSecrets } from './given-secrets.js'
import { repeatWith, type Answers } from './repeat.js'
import type { Lookup } from '../lookup/lookup.js'

type Words = { flags: Interfaces.FlagInput; args: Interfaces.ArgInput }

/** Parsed flags and arguments of a command. */
export interface Parsed<C extends Words> {
  flags: Interfaces.InferredFlags<typeof globalFlags & C['flags']>
  args: Interfaces.InferredArgs<C['args']>
  /** All words that are not flags, for commands that accept extra words. */
  argv: readonly string[]
}

export abstract class SvcCommand<C extends Words = Words> extends Command {
  static override baseFlags = globalFlags

  /** The framework would load the whole configuration a second time here. */
  static override async run<T extends Command>(
    this: new (argv: string[], config: Interfaces.Config) => T,
    argv: string[],
    config: Interfaces.Config,
  ): Promise<ReturnType<T['run']>> {
    const command = new this(argv, config) as Command as SvcCommand
    return command._run<ReturnType<T['run']>>()
  }

  readonly around = processIO()
  #flags: GlobalFlags | undefined
  /** Values of flags and arguments, for error messages. */
  #given: Readonly<Record<string, unknown>> = {}
  #filter: JqFilter | undefined
  /** Adds `--profile` and `--base-url` to the commands that a text tells the user to type. */
  readonly carry = (text: string): string =>
    carryFlags(text, carriedFlags(this.typed, this.argv), this.config.commandIDs)
  readonly #screen = new Screen(this.around, () => this.argv, this.carry)
  readonly #connection = new Connection({
    resolve: () => resolveSettings({ flags: this.flagsGiven, env: this.around.env, profiles: this.profiles() }),
    shared: () => this.#sharedOptions(),
  })
  readonly #prompts = new Prompts({
    around: this.around,
    noInput: () => this.flagsGiven['no-input'],
    badge: () => this.badge,
    help: () => helpHint(this.typed, this.ctor.examples),
    withExample: (hint, missing) => withExample(hint, this.ctor.examples, missing),
    wait: (answer) => this.#connection.afterAnswer(answer),
  })
  #lookup: Lookup | undefined
  /** The client in use, whose replies may explain an error. */
  #client: Client<Contract> | undefined

  /** Runs the command. */
  protected abstract perform(parsed: Parsed<C>): Promise<void>

  override async run(): Promise<void> {
    this.argv = await withJsonFields(this.argv, () => this.#knownColumns())
    const parsed = await this.#parsed()
    this.#flags = parsed.flags
    const { jq } = parsed.flags
    if (jq !== undefined) await this.#useFilter(jq, parsed.flags)
    this.#given = { ...parsed.flags, ...parsed.args }
    await this.perform(parsed)
    this.#showRepeat()
  }

  async #knownColumns(): Promise<readonly string[]> {
    return (await import('../completion/columns-of-command.js')).columnsOf(this.typed)
  }

  /** Compiles the expression of `--jq`, before anything is sent. It implies JSON output. */
  async #useFilter(expression: string, flags: GlobalFlags): Promise<void> {
    const { output } = flags
    if (output !== undefined && !output.endsWith('json'))
      throw new UsageError(`--jq filters JSON, not ${output}.`, 'Leave out --output, or use --output ndjson.')
    if (output === undefined) flags.json = true
    const { compileJq } = await import('../../output/jq.js')
    this.#filter = await compileJq(expression, Boolean(this.around.stdout.isTTY))
  }

  async #parsed(): Promise<Parsed<C>> {
    try {
      return (await this.parse(this.ctor, this.argv)) as unknown as Parsed<C>
    } catch (error) {
      const withField = withExtraWordAsField(this.argv, error)
      if (withField) {
        this.argv = withField
        return this.#parsed()
      }
      const flags = Object.keys({ ...globalFlags, ...this.ctor.flags })
      throw usageErrorOf(error, { command: this.typed, flags, examples: this.ctor.examples, values: this.ctor.flags })
    }
  }

  /** The command as typed: `leads add`. */
  get typed(): string {
    return (this.id ?? '').replaceAll(':', ' ')
  }

  get flagsGiven(): GlobalFlags {
    if (!this.#flags) throw new Error('the flags were used before they were parsed')
    return this.#flags
  }

  get settings(): Settings {
    return this.#connection.settings
  }

  profiles(): Profiles {
    return Profiles.open(this.around.configFolder)
  }

  /** Options of a client of this run. */
  transportOptions(settings?: Settings): TransportOptions {
    return this.#connection.transportOptions(settings)
  }

  #sharedOptions() {
    const { verbose, 'max-wait': wait } = this.flagsGiven
    return {
      userAgent: `svc/${this.config.version}`,
      ...(wait !== undefined && { maxWaitMs: durationMs(wait, '--max-wait') }),
      totalMs: this.answerWithinMs,
      observer: createRequestLogger({
        verbose,
        terminal: canRedraw(this.around.stderr, this.around.env),
        secrets: this.#secrets(),
        write: (text) => this.draw(text),
      }),
    }
  }

  /** Total time allowed for one answer; undefined for the default. */
  get answerWithinMs(): number | undefined {
    const text = this.around.env['SVC_TIMEOUT']
    return text ? durationMs(text, 'SVC_TIMEOUT') : undefined
  }

  /** Client of the API, with the key of this run. `affectsPeople` marks commands that call people or change their data. */
  async client({ affectsPeople = false, settings = this.settings } = {}): Promise<Client<Contract>> {
    const options = this.#connection.keyedOptions(settings)
    if (affectsPeople) this.showLiveMode()
    const { createClient } = await import('../../client/client.js')
    if (this.printer().style.format === 'table') await this.#connection.readClock()
    return (this.#client = createClient(options))
  }

  /** Parses `--since` or `--until`. A duration counts back from the clock of the service if that is a simulator. */
  async time(text: string | undefined, flag: '--since' | '--until'): Promise<string | undefined> {
    if (text === undefined) return undefined
    const time = await this.#connection.time(text, flag)
    const { describeDayWord } = await import('../input/date-time.js')
    const meant = describeDayWord(text, time, this.flagsGiven.utc)
    if (meant !== undefined) this.note(`${flag} ${text} is ${meant}.\n`)
    return time
  }

  /** The clock of the service in milliseconds, if it is a simulator. */
  protected simulatorClock(): Promise<number | undefined> {
    return this.#connection.simulatorClock()
  }

  /** Secrets that no output of this run may contain. */
  #secrets(): string[] {
    return [...listGivenSecrets(this.argv, this.around.env), ...this.#connection.secrets]
  }

  /** Masks the secrets of this run in a value that may contain them. */
  masked<T>(value: T): T {
    return maskSecretsIn(value, this.#secrets())
  }

  /** Printer for results; nothing else writes to stdout. `usual` is the default format. */
  printer(usual?: Format): Printer {
    return this.#screen.printer(this.flagsGiven, { usual, now: this.referenceTime(), filter: this.#filter })
  }

  /** Rejects unknown `--columns` before a write, because the reply cannot be printed again. */
  expectColumns(kind: ResourceColumns): void {
    this.printer().expects(kind)
  }

  /** Base of relative times in tables. */
  protected referenceTime(): number {
    return this.#connection.clockRead ?? Date.now()
  }

  /** Prints pages of a list. If there are more, prints the command for the rest. */
  async printList(pages: AsyncIterable<Listing>, kind: ResourceColumns): Promise<void> {
    let count = 0
    const counted = async function* () {
      for await (const page of pages) {
        count += page.data.length
        yield page
      }
    }
    const last = await this.printer().list(counted(), kind)
    if (count === 0) this.note(`No ${kind.name}.\n`)
    const cursor = last.meta?.has_more ? last.meta.next_cursor : null
    // A typed limit is as much as the person wants to see.
    const isLimitTyped = this.argv.some((word) => /^--limit(=|$)/.test(word))
    if (cursor && !isLimitTyped)
      this.note(
        `There are more ${kind.name}; --all lists them all. The next:\n  ${this.repeatCommand(['--starting-after', cursor])}\n`,
      )
  }

  /** This command line with an added flag. Removes its previous value and the conflicting flags. */
  repeatCommand(flag: readonly [flag: string, value: string], instead?: readonly string[]): string {
    const isBoolean = (name: string) => this.ctor.flags[name]?.type === 'boolean'
    return repeatWith({ typed: this.typed, argv: this.argv, isBoolean }, flag, instead)
  }

  /** Writes a note to stderr. Removes terminal control characters, because the text may come from outside. */
  note(text: string): void {
    this.#screen.note(text)
  }

  /** Says in a sentence what a command did, to a person who reads its table at a terminal. Scripts get only the data. */
  say(sentence: string): void {
    if (this.isForPerson) this.note(`${sentence}\n`)
  }

  /** True if a person reads the whole table at a terminal. */
  get isForPerson(): boolean {
    const { format, terminal, columns } = this.printer().style
    return terminal && format === 'table' && columns === undefined
  }

  /** Writes to stderr unchanged, for a line that is redrawn. The caller must clean text from outside. */
  draw(text: string): void {
    this.#screen.draw(text)
  }

  promptForMissing(...needs: MissingValue[]): Promise<string[]> {
    return this.#prompts.missing(needs)
  }

  /** The answers to questions, as words of a command line. */
  get answers(): Answers {
    return this.#prompts.answers
  }

  /** Shows the command line that does the same without questions, if there were any. */
  #showRepeat(): void {
    const line = this.answers.takeLine(this.masked(['svc', ...this.typed.split(' '), ...this.argv]))
    if (line !== undefined) this.note(`${line}\n`)
  }

  /** Finds campaigns by name, leads by phone or external id, and DNC entries by phone. */
  async lookup(client: Client<Contract>): Promise<Lookup> {
    const { Lookup } = await import('../lookup/lookup.js')
    this.#lookup ??= new Lookup({
      client,
      isInteractive: this.isInteractive,
      note: (text) => this.note(text),
      pick: (message, choices) => this.pick(message, choices),
      meant: (word, id) => this.answers.replace(word, id),
    })
    return this.#lookup
  }

  /** The id of the campaign given by id or name, if one was given. Loads the lookup only for a given one. */
  async campaignId(client: Client<Contract>, text: string | undefined): Promise<string | undefined> {
    return text === undefined ? undefined : (await this.lookup(client)).campaign(text)
  }

  /** True at a terminal where questions are possible. */
  get isInteractive(): boolean {
    return this.#prompts.isInteractive
  }

  confirm(yes: boolean, question: string): Promise<void> {
    return this.#prompts.confirm(yes, this.carry(question))
  }

  /** Asks a person at a terminal for one of the choices. */
  pick(message: string, choices: readonly Choice[]): Promise<string> {
    return this.#prompts.pick(message, choices)
  }

  /** Asks a question; `usual` is the answer of the Enter key. Only for a terminal. */
  agree(question: string, usual = true): Promise<boolean> {
    return this.#prompts.agree(question, usual)
  }

  /** Asks a person at a terminal before a live key calls people or changes their data. Scripts are not asked. */
  async confirmLive(yes: boolean, question: () => string | Promise<string>): Promise<void> {
    if (!yes && this.isLive && this.isInteractive) await this.confirm(false, await question())
  }

  /** The address in use without its path, for questions. */
  get host(): string {
    return new URL(this.settings.baseUrl.value).host
  }

  /** True if the key of this run is live. False before the settings are resolved, as in `login`. */
  get isLive(): boolean {
    return this.#connection.resolved?.mode === 'live'
  }

  /** Begins every question; empty unless the key is live. */
  get badge(): string {
    return this.isLive ? this.#screen.liveBadge : ''
  }

  /** Shows a person at a terminal that the key is live, and which service it is for. */
  protected showLiveMode(): void {
    const { stderr, env } = this.around
    const { mode, profile } = this.settings
    if (mode !== 'live' || !stderr.isTTY || env['CI'] || env['SVC_NO_INPUT'] || this.flagsGiven['no-input']) return
    const name = profile && this.settings.secret?.source.startsWith('profile') ? `, profile ${profile.value}` : ''
    this.draw(this.#screen.wrap(`${this.badge}${stripControls(`${this.host}${name}`)}\n`))
  }

  /** Next steps by error code that are specific to this command. */
  protected get nextSteps(): Readonly<Record<string, string>> {
    return {}
  }

  /** The flag or argument that a `param` of an error means, as it was typed; undefined if it means none. */
  protected flagOf(param: string): string | undefined {
    // A command without flags or arguments has none of these objects.
    const [flags, args] = [{ ...this.ctor.flags }, { ...this.ctor.args }]
    return flagOfParam(param, { flags: Object.keys(flags), args: Object.keys(args), given: this.#given })
  }

  /** Where the address and the key of this run came from. Not known before the settings are resolved, as in `login`. */
  protected get sources(): { addressSource?: string; keySource?: string } {
    return this.#connection.sources
  }

  /** Sets the exit code for when the command returns. */
  exitWith(code: number): void {
    process.exitCode = code
  }

  override async catch(thrown: Error & { code?: string }): Promise<void> {
    if (thrown.code === 'EPIPE') return
    // Ctrl-C or Ctrl-D at a question. Questions come before the first change.
    const error: Error =
      thrown.name === 'ExitPromptError' ? new InterruptedError(cancelled) : await explainTypeError(thrown, this.#client)
    const { phone } = this.#given
    const failure = describeFailure(error, {
      command: this.typed,
      ...this.sources,
      phone: typeof phone === 'string' ? phone : undefined,
      secrets: this.#secrets(),
      nextSteps: { ...(await stepsIfInvalidPhone(error, phone)), ...this.nextSteps },
      flagOf: (param) => this.flagOf(param),
      carry: this.carry,
    })
    this.exitWith(failure.exitCode)
    if (error instanceof ExitError) return
    if (wantsJson(this.argv)) this.draw(formatFailureJson(failure))
    else this.draw(formatFailureText(failure, this.#screen.hasColor, this.#screen.width))
    if (this.around.env['SVC_DEBUG']) this.note(`${maskSecrets(thrown.stack ?? '', this.#secrets())}\n`)
  }
}
