/** The line at the bottom: how to do the same from a terminal as the button that is pointed at. */
import { curlOf, pointedAt } from '../api/action.js'
import { Copy } from './copy.js'

export function TerminalLine() {
  const action = pointedAt.value
  return (
    <footer class="terminal" aria-label="The same from a terminal">
      <span class="quiet">
        {action ? 'The same from a terminal' : 'Point at a button to see the command that does the same.'}
      </span>
      {action && (
        <>
          <code>{action.svc}</code>
          <Copy label="Copy as svc" text={action.svc} />
          <Copy label="Copy as curl" text={curlOf(action.http)} />
        </>
      )}
    </footer>
  )
}
