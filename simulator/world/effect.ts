/** What a task asks of the outside world, as data: the loop has it performed and brings the outcome back as a step of its own. */

export type Effect = { kind: 'send'; delivery: number; tenant: number; endpoint: number }
