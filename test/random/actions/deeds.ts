/** How each action is done, and what must follow. */
import type { Action, Deed, Doing } from './actions.js'
import { leadDeeds } from './lead-deeds.js'
import type { Run } from '../run.js'
import { telephoneDeeds } from './telephone-deeds.js'
import { worldDeeds } from './world-deeds.js'

export type Deeds<D extends Deed> = { [K in D]: (run: Run, doing: Doing<K>) => Promise<void> }

const deeds: Deeds<Deed> = { ...leadDeeds, ...telephoneDeeds, ...worldDeeds }

export const perform = (run: Run, action: Action): Promise<void> =>
  (deeds[action.do] as (run: Run, action: Action) => Promise<void>)(run, action)
