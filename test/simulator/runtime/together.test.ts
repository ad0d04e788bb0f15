/** Steps that arrive together: one commit keeps them, and each gets its own result. */
import { expect, it } from 'vitest'
import { Stage } from '../../support/played-engine.js'

/** How often the store was asked to begin and to keep something. */
function counted(stage: Stage): () => number {
  let commits = 0
  const transaction = stage.store.transaction.bind(stage.store)
  stage.store.transaction = (work) => {
    commits += stage.store.inTransaction ? 0 : 1
    return transaction(work)
  }
  return () => commits
}

it('steps that come together are done in the order they came and kept by one commit, one alone too', async () => {
  const stage = new Stage()
  const commits = counted(stage)
  const steps = [1, 2, 3].map((n) => stage.engine.stepInGroup(() => (stage.note('step', n), n)))
  expect(commits()).toBe(0)
  expect(await Promise.all(steps)).toEqual([1, 2, 3])
  expect(stage.log.map(([, , n]) => n)).toEqual([1, 2, 3])
  expect(commits()).toBe(1)
  expect(await stage.engine.stepInGroup(() => 'alone')).toBe('alone')
  expect(commits()).toBe(2)
})

it('steps that come together fail alone: what the others did and told of stays, and what the failed one did goes', async () => {
  const stage = new Stage()
  const heard: unknown[] = []
  stage.engine.subscribe((notice) => heard.push(notice.kind === 'event' && notice.n))
  const step = (n: number) =>
    stage.engine.stepInGroup(() => {
      stage.note('step', n)
      stage.world.publish({ kind: 'event', tenant: 0, type: 'lead.created', lead: null, n })
      if (n === 2) throw new Error('refused')
      return n
    })
  const ended = await Promise.allSettled([1, 2, 3].map(step))
  expect(ended.map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message))).toEqual([
    1,
    'refused',
    3,
  ])
  expect(stage.log.map(([, , n]) => n)).toEqual([1, 3])
  expect(heard).toEqual([1, 3])
})

it('steps that come together are all refused when they cannot be kept, and nothing of them is there', async () => {
  const stage = new Stage()
  const run = stage.store.run.bind(stage.store)
  stage.store.run = (query, ...values) => {
    if (query.text === 'COMMIT') throw new Error('the disk does not take it')
    return run(query, ...values)
  }
  const ended = await Promise.allSettled([1, 2].map((n) => stage.engine.stepInGroup(() => stage.note('step', n))))
  expect(ended.map((end) => end.status === 'rejected' && (end.reason as Error).message)).toEqual([
    'the disk does not take it',
    'the disk does not take it',
  ])
  stage.store.run = run
  expect(stage.log).toEqual([])
  await stage.engine.stepInGroup(() => stage.note('step', 3))
  expect(stage.log.map(([, , n]) => n)).toEqual([3])
})
