import * as Args from '@oclif/core/args'
import { worldNeed } from '../../../src/cli/simulator/choices.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { onePage } from '../../../src/cli/base/pages.js'
import type { Difference, WorldDiff } from '../../../src/contract/control/worlds.js'
import { controlColumns } from '../../../src/output/columns/control.js'

const different = 1

export default class SimulateWorldsDiff extends SimulatorCommand<typeof SimulateWorldsDiff> {
  static override summary = 'Compare two worlds'
  static override description =
    'Shows the first event that differs, and the leads, calls and deliveries that do. Leads are matched by external id, else by ' +
    'phone number. Ids that differ only because the seeds differ count as equal. Exits with 0 if the worlds are identical, else with 1.'
  static override examples = [
    '<%= config.bin %> simulate worlds diff main 3f9a1c0be2d4',
    '<%= config.bin %> simulate worlds diff main 3f9a1c0be2d4 --json',
  ]
  static override args = {
    world: Args.string({ description: 'Id of a world (required)', ignoreStdin: true }),
    'other-world': Args.string({ description: 'Id of the other world (required)', ignoreStdin: true }),
  }
  static override flags = controlFlags

  protected async perform({ args, flags }: Parsed<typeof SimulateWorldsDiff>): Promise<void> {
    this.expectColumns(controlColumns.difference)
    const control = () => this.control(flags['control-token'])
    const [a = '', b = ''] = await this.promptForMissing(
      worldNeed(['<world>', 'World'], args.world, control, { withMain: true }),
      worldNeed(['<other-world>', 'Other world'], args['other-world'], control, { withMain: true }),
    )
    const { body } = await (await control()).call('diffWorlds', { params: { a, b } })
    const { identical } = body.data
    if (this.printer().style.format === 'json') await this.printer().json(body)
    else {
      await this.printList(onePage({ data: differences(body.data) }), controlColumns.difference)
      this.note(identical ? 'The worlds are identical.\n' : 'The worlds differ.\n')
    }
    if (!identical) this.exitWith(different)
  }
}

/** One row for each field that differs. An object that only one world has is one row. */
function differences({ first_event: first, leads, calls, deliveries }: WorldDiff) {
  const shown = (value: unknown) => (value === undefined || value === null ? null : textOf(value))
  const rowsOf = (kind: string, { key, a, b }: Difference) =>
    a && b
      ? Object.keys(a)
          .filter((field) => field !== 'id')
          .map((field) => ({ kind, key, field, a: shown(a[field]), b: shown(b[field]) }))
      : [{ kind, key, field: 'id', a: shown(a?.id), b: shown(b?.id) }]
  return [
    ...(first
      ? [
          {
            kind: 'event',
            key: `number ${first.index + 1}`,
            field: 'type',
            a: shown(first.a?.type),
            b: shown(first.b?.type),
          },
        ]
      : []),
    ...leads.flatMap((one) => rowsOf('lead', one)),
    ...calls.flatMap((one) => rowsOf('call', one)),
    ...deliveries.flatMap((one) => rowsOf('delivery', one)),
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
