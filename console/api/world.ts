/** The organizations of the world, and the chosen one. */
import { computed, effect, signal } from '@preact/signals'
import type { Organization } from '../../src/contract/control/world.js'
import { organizationId } from './place.js'
import { changes } from './pulse.js'
import type { WorldInList } from '../../src/contract/control/worlds.js'
import { call, needsToken } from './request.js'

export const organizations = signal<readonly Organization[]>([])

export const organization = computed<Organization | null>(() => {
  const id = organizationId.value
  const all = organizations.value
  return (id === undefined ? all[0] : all.find((one) => one.id === id)) ?? null
})

/** The time zone of the organization. */
export const zone = computed(() => organization.value?.time_zone ?? 'UTC')

export const campaignName = (id: string): string =>
  organization.value?.campaigns.find((campaign) => campaign.id === id)?.name ?? 'Unknown campaign'

/** The flag that names an organization in a command; nothing for the first one, which is the default. */
export const organizationFlag = (id: string | undefined): string =>
  id === undefined || id === organizations.value[0]?.id ? '' : ` --organization ${id}`

/** The worlds of the simulator, the main one first. */
export const worlds = signal<readonly WorldInList[]>([])

export async function readWorlds(): Promise<void> {
  worlds.value = await call('listWorlds', {}).then(
    ({ data }) => data,
    () => worlds.peek(),
  )
}

export const nameOfWorld = (id: string): string => worlds.value.find((one) => one.id === id)?.name ?? id

/** The address of the console of a world. */
export const consoleOf = (id: string, screen = ''): string => `${id === 'main' ? '' : `/w/${id}`}/console/${screen}`

let known = ''

/** Reads the organizations now and whenever they may have changed. */
export function followWorld(): void {
  effect(() => {
    if (!needsToken.value) void readWorlds()
  })
  effect(() => {
    void changes.value
    if (needsToken.value) return
    call('getWorld', {}).then(
      ({ data }) => {
        const text = JSON.stringify(data.organizations)
        if (text !== known) organizations.value = data.organizations
        known = text
      },
      () => undefined,
    )
  })
}
