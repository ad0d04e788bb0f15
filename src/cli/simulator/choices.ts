/** Lists for the questions of simulator commands. */
import type { Client } from '../../client/client.js'
import type { Control } from '../../contract/control.js'
import { fullTime } from '../../output/time.js'
import type { MissingValue } from '../input/questions/prompt-for-missing.js'
import type { Choice } from '../input/questions/questions.js'

/** Campaigns of all organizations that accept leads. */
export async function controlCampaignChoices(control: Client<Control>): Promise<Choice[]> {
  const campaigns = (await listCampaigns(control)).filter(({ status }) => status !== 'completed')
  return campaigns.map(({ id, name, status, organization }) => ({
    name: `${name}, ${organization} (${status})`,
    value: id,
    ...(campaigns.filter((one) => one.name === name).length === 1 && { word: name }),
  }))
}

/** All campaigns, with the names of their organizations. */
export async function listCampaigns(control: Client<Control>) {
  const { organizations } = (await control.call('getWorld', {})).body.data
  return organizations.flatMap(({ name: organization, campaigns }) =>
    campaigns.map(({ id, name, status }) => ({ id, name, status, organization })),
  )
}

/** Asks for a snapshot from the list. `control` is opened only for the question. */
export function snapshotNeed(value: string | undefined, control: () => Promise<Client<Control>>): MissingValue {
  const choices = async () =>
    (await (await control()).call('listSnapshots', {})).body.data.map(({ name, now }) => ({
      name: `${name} (clock: ${fullTime(now, { utc: false })})`,
      value: name,
    }))
  return { flag: '<name>', label: 'Snapshot', value, choices }
}

/** Asks for a world from the list. `withMain` offers the main world too. */
export function worldNeed(
  [flag, label]: readonly [flag: string, label: string],
  value: string | undefined,
  control: () => Promise<Client<Control>>,
  { withMain }: { withMain: boolean },
): MissingValue {
  const choices = async (before: readonly string[]) =>
    (await (await control()).call('listWorlds', {})).body.data
      .filter(({ id }) => (withMain || id !== 'main') && !before.includes(id))
      .map(({ id, name, leads, calls }) => ({
        name: `${[id, name].filter(Boolean).join(', ')} (${leads} leads, ${calls} calls)`,
        value: id,
      }))
  return { flag, label, value, choices }
}
