/** Figures: calls, answers, minutes and cost over time, outcomes, and deliveries by result. */
import { addressOf, goTo, place, scope } from '../api/place.js'
import { call } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { Bars, PercentLine, Ranking } from '../components/charts.js'
import { count, Empty, Loaded, Panel, words } from '../components/parts.js'
import { Choice } from './leads.js'

const dollars = (value: number): string => `$${value.toFixed(2)}`

export function Figures() {
  const by = place.value.query.get('by') === 'day' ? ('day' as const) : ('hour' as const)
  const query = { ...scope.value, by }
  const figures = useResource(
    `figures ${JSON.stringify(query)}`,
    async (signal) => (await call('getFigures', { query }, signal)).data,
  )
  const choose = (name: string, value: string) => goTo(addressOf({ set: { [name]: value } }), { replace: true })
  return (
    <>
      <div class="row toolbar">
        <Choice
          name="by"
          label="Period"
          all="Last 24 hours, by hour"
          value={by === 'day' ? 'day' : ''}
          options={[['day', 'Last 30 days, by day']]}
          onChoose={choose}
        />
        <span class="quiet">Simulated time, in {figures.data?.time_zone ?? 'the zone of the organization'}</span>
      </div>
      <Loaded of={figures}>
        {({ buckets, outcomes, deliveries }) => {
          const sum = (name: 'calls' | 'calls_connected' | 'minutes' | 'cost_usd' | 'leads_added') =>
            buckets.reduce((all, one) => all + one[name], 0)
          const [calls, connected] = [sum('calls'), sum('calls_connected')]
          const bars = (name: 'calls' | 'minutes' | 'cost_usd' | 'leads_added') =>
            buckets.map((one) => ({ label: one.label, value: one[name] }))
          if (calls === 0 && buckets.every((one) => one.leads_added === 0))
            return (
              <Panel title="Figures">
                <Empty title="Nothing was counted in this time.">
                  <p>Add leads and push the clock. Calls are counted when they end.</p>
                </Empty>
              </Panel>
            )
          return (
            <div class="tiles">
              <Panel title="Calls" class="span-2" side={<strong>{count(calls)}</strong>}>
                <Bars
                  title="Calls"
                  bars={buckets.map((one) => ({ label: one.label, value: one.calls, part: one.calls_connected }))}
                />
                <p class="quiet">The stronger part was answered by a person.</p>
              </Panel>
              <Panel
                title="Answer rate"
                side={<strong>{calls === 0 ? 'none' : `${Math.round((100 * connected) / calls)} %`}</strong>}
              >
                <PercentLine
                  title="Part of the calls that a person answered"
                  points={buckets.map((one) => (one.calls === 0 ? null : one.calls_connected / one.calls))}
                />
              </Panel>
              <Panel title="Outcomes">
                <Ranking
                  label="Calls by outcome"
                  bars={outcomes.map((one) => ({ label: words(one.outcome), value: one.calls }))}
                />
              </Panel>
              <div class="stack">
                <Panel title="Minutes" side={<strong>{count(sum('minutes'))}</strong>}>
                  <Bars title="Minutes" bars={bars('minutes')} />
                </Panel>
                <Panel title="Cost" side={<strong>{dollars(sum('cost_usd'))}</strong>}>
                  <Bars title="Cost" bars={bars('cost_usd')} format={dollars} />
                </Panel>
              </div>
              <div class="stack">
                <Panel title="Leads added" side={<strong>{count(sum('leads_added'))}</strong>}>
                  <Bars title="Leads added" bars={bars('leads_added')} />
                </Panel>
                <Panel title="Deliveries by result">
                  <Ranking
                    label="Deliveries by result"
                    bars={deliveries.map((one) => ({ label: words(one.status), value: one.deliveries }))}
                  />
                </Panel>
              </div>
              <Panel title="As a table" class="span-3">
                <details>
                  <summary>Every {by}</summary>
                  <div class="scroll" tabIndex={0} role="region" aria-label={`Figures of every ${by}`}>
                    <table>
                      <thead>
                        <tr>
                          {['Start', 'Calls', 'Answered', 'Minutes', 'Cost'].map((name, i) => (
                            <th key={name} scope="col" class={i === 0 ? '' : 'amount'}>
                              {name}
                            </th>
                          ))}
                        </tr>
                      </thead>
                      <tbody>
                        {buckets.map((one) => (
                          <tr key={one.start}>
                            <td>{one.label}</td>
                            <td class="number amount">{count(one.calls)}</td>
                            <td class="number amount">{count(one.calls_connected)}</td>
                            <td class="number amount">{count(one.minutes)}</td>
                            <td class="number amount">{dollars(one.cost_usd)}</td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </div>
                </details>
              </Panel>
            </div>
          )
        }}
      </Loaded>
    </>
  )
}
