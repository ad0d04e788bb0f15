/** Every numbered rule of docs/rules.md in a few words, and why the API cannot answer a question about some of them. */

export interface NumberedRule {
  title: string
  /** Why no check asks for it. A rule without checks must have a reason. */
  unasked?: string
}

const app = 'people do it in the app'

export const numberedRules = {
  C1: { title: 'Unknown paths and wrong methods give 404' },
  C2: { title: 'Request bodies are read strictly' },
  C3: { title: 'Replies are { data }, lists { data, meta }' },
  C4: { title: 'Timestamps are ISO 8601; filters take Unix seconds too' },
  C5: { title: 'Ids have their form' },
  C6: { title: 'Every object has the livemode of the key' },
  C7: { title: 'Every reply has its headers' },
  C8: { title: 'Unknown query parameters are ignored' },
  K1: { title: 'A key is sent by HTTP Basic or as a Bearer token' },
  K2: { title: 'A test key sees test data only' },
  K3: { title: 'Each endpoint needs its permission' },
  K4: { title: 'A key limited to campaigns sees only their data' },
  K5: { title: 'Exports and unlimited endpoints need a key for every campaign' },
  K6: { title: 'Objects of others are 404' },
  K7: { title: 'The checks of a request run in their order' },
  I1: { title: 'An Idempotency-Key is 1 to 255 visible characters' },
  I2: { title: 'The same request with the same key acts once' },
  I3: { title: 'The same key with another request is a mismatch' },
  I4: { title: 'A key is refused while its first request runs' },
  I5: { title: 'Answers of the endpoint are kept, others are not' },
  P1: { title: 'Lists are newest first; the cursor is the last id' },
  P2: { title: 'Pages neither repeat nor skip items' },
  P3: { title: 'A page holds 1 to 100 items' },
  P4: { title: 'Older parameters of GET /calls answer the older list' },
  T1: { title: 'The reserved test numbers play their calls' },
  T2: { title: 'Made-up numbers are refused' },
  T3: { title: 'A test key runs at most 20 sample calls', unasked: 'there are only two reserved numbers to call' },
  T4: { title: 'Calls of a test key cost nothing' },
  D1: {
    title: 'Leads are called inside the calling hours',
    unasked: 'the reserved numbers have no calling hours, and other leads are only rehearsed',
  },
  D2: { title: 'A lead outside the calling hours is scheduled' },
  D3: { title: 'The API cannot lift the calling hours' },
  D4: {
    title: 'A number that was reached waits 24 hours',
    unasked: 'the reserved numbers have no cooldown, and other numbers are not called',
  },
  D5: { title: 'Numbers on the Do Not Call list are never called' },
  D6: { title: 'Opting out takes leads with the number out of the queue' },
  D7: { title: 'A campaign can require consent' },
  D8: { title: 'call_now leads are dialed first', unasked: 'there are only two reserved numbers to queue' },
  D9: { title: 'The same phone or external_id is a duplicate' },
  D10: { title: 'A call_now lead that waits too long is late', unasked: 'it takes 15 minutes without a free line' },
  D11: { title: 'Premium-rate and international numbers are refused' },
  D12: { title: 'Holds apply before calling hours' },
  D13: { title: 'Unanswered calls are retried', unasked: 'a reserved number is not retried' },
  D14: { title: 'Failed calls retire a number', unasked: 'the calls of reserved numbers do not fail' },
  D15: { title: 'A lead gets at most 3 API-started calls a day' },
  D16: { title: 'The API does not overrule people', unasked: app },
  A1: { title: 'The checks on a new lead run in their order' },
  A2: { title: 'The campaign exists and is not completed' },
  A3: { title: 'The phone is a valid number' },
  A4: { title: 'At most 5,000 API leads wait in a campaign', unasked: 'it takes 5,000 leads' },
  A5: { title: 'A dry run saves nothing' },
  A6: { title: 'Each lead of a batch has its own result' },
  A7: { title: 'PATCH clears, merges and replaces' },
  S1: { title: 'Leads have their fields and statuses' },
  S2: { title: 'Calls have their fields and statuses' },
  S3: { title: 'The outcome moves the lead' },
  S4: { title: 'POST /calls puts a lead at the front' },
  S5: { title: 'Opting out does not cut a call' },
  S6: { title: 'A corrected call is sent again', unasked: app },
  S7: { title: 'Recordings have links of 5 minutes' },
  S8: { title: 'A lead shows its last 10 calls' },
  N1: { title: 'Each organization has one Do Not Call list' },
  N2: { title: 'GET /dnc/check reads any common form' },
  N3: { title: 'A removed number can be called again' },
  E1: { title: 'Events are written with their change and never change' },
  E2: { title: 'Events are listed, by type and time' },
  E3: { title: 'An endpoint gets the events it asked for' },
  W1: { title: 'Endpoints are https: and public, at most 10' },
  W2: { title: 'A delivery is a POST with the Service headers' },
  W3: { title: 'Webhooks are signed with the secret' },
  W4: { title: 'A rolled secret signs on for the grace period' },
  W5: {
    title: 'A receiver refuses old signatures',
    unasked: 'it is a rule for receivers: svc webhooks verify applies it',
  },
  W6: { title: 'Failed attempts are repeated on the schedule' },
  W7: { title: 'At most 5 attempts at a time go to an endpoint' },
  W8: { title: 'An endpoint that fails for a day is paused' },
  W9: { title: 'Deliveries of a paused endpoint are skipped' },
  W10: { title: 'A resend is a new delivery of the same event' },
  W11: { title: 'A test event is a sample' },
  W12: { title: "The beginning of a receiver's answer is kept" },
  W13: { title: 'A secret is shown only when it is made' },
  L1: { title: 'A key runs at most 20 requests at once' },
  L2: { title: 'A key sends at most 120 requests a minute' },
  L3: { title: 'A key sends at most 60 new leads a minute' },
  L4: { title: 'Waiting as long as Retry-After says is enough' },
  L5: { title: 'A batch holds at most 60 leads or 100 numbers' },
  L6: { title: 'Texts and fields have a largest size' },
  X1: { title: 'An export is a CSV file behind a link' },
  X2: { title: 'A test key gets a sample file only' },
  X3: { title: 'Cost is whole minutes at the rate' },
  X4: { title: 'Usage adds up by key, campaign and day' },
  F1: { title: 'Errors have their shape' },
  F2: { title: 'Messages mask personal data' },
} as const satisfies Record<string, NumberedRule>

export type RuleNumber = keyof typeof numberedRules

/** The rules in the order of the page. */
export const ruleNumbers = Object.keys(numberedRules) as RuleNumber[]

export const ruleOf = (rule: string): NumberedRule =>
  (numberedRules as Record<string, NumberedRule>)[rule] ?? { title: rule }
