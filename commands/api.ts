import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { ApiError } from '../src/client/errors.js'
import { cursorNameOf } from '../src/client/client.js'
import { followPages, type Page } from '../src/client/pages.js'
import type { Reply } from '../src/client/reply.js'
import type { Query } from '../src/client/url.js'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { onePage } from '../src/cli/base/pages.js'
import { headersOf, pairFlag, repeated, writeFlags, yesFlag } from '../src/cli/base/flags.js'
import { quoteForShell } from '../src/cli/input/shell-word.js'
import { readInput } from '../src/cli/input/stdin.js'
import { parseTypedFields } from '../src/cli/input/typed-fields.js'
import { UsageError } from '../src/cli/errors/usage-error.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Errors name a longer pair without its value. */
const longestShown = 60

interface Target {
  method: string | undefined
  path: string
}

export default class Api extends SvcCommand<typeof Api> {
  static override summary = 'Send any API request'
  static override description =
    'Sends a request to a path below the base address, with the current key, and prints the reply unchanged, or with ' +
    '--output and --columns as a list. The method defaults to GET, or to POST if there are fields or --input. ' +
    'With a live key, asks at a terminal before a request that is not a GET.'
  static override examples = [
    '<%= config.bin %> api /leads -q limit=5',
    '<%= config.bin %> api POST /leads -f campaign_id=8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 -f phone=+15550100001 -F call_now=true',
    'echo \'{"phone":"+12125557812"}\' | <%= config.bin %> api POST /dnc --input -',
    '<%= config.bin %> api -X DELETE /dnc/8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11',
    '<%= config.bin %> api /events --paginate',
  ]
  static override args = {
    method: Args.string({ description: 'HTTP method; may be left out', ignoreStdin: true }),
    path: Args.string({ description: 'Path below the base address (required)', ignoreStdin: true }),
  }
  static override flags = {
    method: Flags.string({ char: 'X', summary: 'HTTP method', helpValue: '<method>' }),
    field: Flags.string({
      char: 'f',
      summary: 'Body field, as text (repeatable)',
      helpValue: '<k=v>',
      ...repeated,
    }),
    'typed-field': Flags.string({
      char: 'F',
      summary: 'Body field as true, false, null, a number, or @file (repeatable)',
      helpValue: '<k=v>',
      ...repeated,
    }),
    header: Flags.string({
      char: 'H',
      summary: 'Header to add (repeatable)',
      helpValue: '<K: V>',
      ...repeated,
    }),
    query: Flags.string({
      char: 'q',
      summary: 'Query parameter (repeatable)',
      helpValue: '<k=v>',
      ...repeated,
    }),
    input: Flags.string({ summary: 'Request body: a file, or - for standard input', helpValue: '<file>' }),
    paginate: Flags.boolean({ summary: 'Fetch all pages of a list, as one document' }),
    include: Flags.boolean({ char: 'i', summary: 'Print the status and headers too' }),
    ...yesFlag,
    ...writeFlags,
  }

  /** Query parameters and fields as they were typed, by name. */
  readonly #typed = new Map<string, string>()

  protected async perform({ args, flags }: Parsed<typeof Api>): Promise<void> {
    for (const flag of ['query', 'field', 'typed-field'] as const)
      for (const pair of flags[flag] ?? []) {
        const [name = ''] = pair.split('=')
        this.#typed.set(name, `--${flag} ${quoteForShell(pair.length > longestShown ? name : pair)}`)
      }
    const { method: named, path } = await this.#named(args, flags.method)
    const body = await this.#body(flags)
    const method = named ?? (body === undefined ? 'GET' : 'POST')
    if (method === 'GET' && body !== undefined)
      throw new UsageError('A GET carries no body.', 'Query parameters are given with --query name=value.')
    if (flags.paginate && method !== 'GET') throw new UsageError('--paginate follows lists: it goes with GET alone.')
    const query: Query = pairFlag(flags.query ?? [], '--query')
    const parts = { query, body, headers: headersOf(flags.header ?? [], '--header') }
    const isWrite = method !== 'GET'
    const client = await this.client({ affectsPeople: isWrite })
    if (isWrite) await this.confirmLive(flags.yes, () => `Send ${method} ${path} to ${this.host}?`)
    const send = (more: Query = {}) =>
      client.request(
        method,
        path,
        { ...parts, query: { ...query, ...more } },
        { idempotencyKey: flags['idempotency-key'] },
      )
    try {
      if (flags.paginate) return await this.#paginate(send, path)
      await this.#print(await send(), flags.include)
    } catch (error) {
      // With `--include`, the headers of a refused request are printed too. The error itself is reported as usual.
      if (error instanceof ApiError && flags.include) await this.#printHead(error)
      throw error
    }
  }

  /** A query parameter or a field of the body, as it was typed. Other params of the request are not flags of this command. */
  protected override flagOf(param: string): string | undefined {
    const [field = ''] = param.split(/[.[]/)
    return this.#typed.get(param) ?? this.#typed.get(field)
  }

  async #named(
    { method: first = '', path: second }: Parsed<typeof Api>['args'],
    flag: string | undefined,
  ): Promise<Target> {
    if (flag !== undefined && !methods.includes(flag.toUpperCase()))
      throw new UsageError(`--method ${flag} is not an HTTP method.`, `The methods are: ${methods.join(', ')}.`)
    const isMethod = methods.includes(first.toUpperCase())
    if (second !== undefined && !isMethod)
      throw new UsageError(`${first} is not an HTTP method.`, `The methods are: ${methods.join(', ')}.`)
    if (isMethod && flag !== undefined)
      throw new UsageError('The method is given twice.', 'Leave out --method, or the method before the path.')
    const method = isMethod ? first.toUpperCase() : flag?.toUpperCase()
    const [path = ''] = await this.promptForMissing({ flag: '<path>', label: 'Path', value: isMethod ? second : first })
    if (/^https?:/i.test(path))
      throw new UsageError(
        'Give the path below the base address, not a whole address.',
        '--base-url names another service.',
      )
    return { method, path: path.startsWith('/') ? path : `/${path}` }
  }

  async #body({ field, 'typed-field': typed, input }: Parsed<typeof Api>['flags']): Promise<unknown> {
    const fields =
      field || typed ? { ...pairFlag(field ?? [], '--field'), ...(await parseTypedFields(typed ?? [])) } : undefined
    if (input !== undefined && fields) throw new UsageError('Give the body by fields or by --input, not both.')
    return input === undefined ? fields : readInput(input, this.around.stdin)
  }

  async #paginate(send: (more?: Query) => Promise<Reply>, path: string): Promise<void> {
    const pages = followPages(async (cursor) => {
      const more: Query = cursor === undefined ? {} : { [cursorNameOf(path)]: cursor }
      return (await send(more)) as Reply<Page>
    })
    const data: unknown[] = []
    let meta: Page['meta']
    for await (const { body } of pages) {
      if (!Array.isArray(body.data)) throw new UsageError(`${path} is not a list, so there are no pages to follow.`)
      data.push(...(body.data as unknown[]))
      meta = body.meta
    }
    await this.#printBody({ data, meta })
  }

  async #print(reply: Reply, include: boolean): Promise<void> {
    const { body } = reply
    if (include) await this.#printHead(reply)
    if (typeof body === 'string') await this.printer('json').text(body)
    else await this.#printBody(body)
  }

  /** Prints a list or an object in the chosen format. The columns are the fields of the first object. */
  async #printBody(body: unknown): Promise<void> {
    const printer = this.printer('json')
    if (printer.style.format === 'json' || typeof body !== 'object' || body === null) return printer.json(body)
    const data: unknown = 'data' in body ? body.data : body
    const first: unknown = Array.isArray(data) ? data[0] : data
    const columns = typeof first === 'object' && first !== null ? Object.keys(first) : ['value']
    const kind = { name: 'results', columns, table: columns }
    if (Array.isArray(data)) await printer.list(onePage({ data }), kind)
    else await printer.record({ data }, kind)
  }

  async #printHead({ status, headers }: Pick<Reply, 'status' | 'headers'>): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    await this.printer('json').foreignText(this.masked([`HTTP ${status}`, ...lines, '', ''].join('\n')))
  }
}
