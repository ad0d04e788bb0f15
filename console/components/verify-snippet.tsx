/** Code that verifies the signature of a webhook. */
import { useState } from 'preact/hooks'
import { Copy } from './copy.js'
import { Dialog } from './dialog.js'

const snippet = `import { createServer } from 'node:http'
import { verify } from 'lead-calling/webhooks'

// The secret that was shown when the endpoint was created.
const secret = process.env.WEBHOOK_SECRET

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const verdict = verify({ body, header: request.headers['service-signature'], secrets: [secret], now: Math.floor(Date.now() / 1000) })
    response.statusCode = verdict.ok ? 204 : 400
    response.end()
  })
}).listen(3000)
`

export function VerifySnippet() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="small" onClick={() => setOpen(true)}>
        Verify snippet
      </button>
      {isOpen && (
        <Dialog title="Verify the signature" onClose={() => setOpen(false)}>
          <pre class="json" tabIndex={0} aria-label="Code that verifies a signature">
            {snippet}
          </pre>
          <div class="row end">
            <Copy label="Copy the code" text={snippet} />
            <button type="button" onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
