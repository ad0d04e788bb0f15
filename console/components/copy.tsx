/** A button that copies a text. Without permission for the clipboard it shows the text, selected. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from './dialog.js'

export interface CopyProps {
  label: string
  text: string
}

export function Copy({ label, text }: CopyProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'shown'>('idle')
  const copy = () => {
    const written = 'clipboard' in navigator ? navigator.clipboard.writeText(text) : Promise.reject(new Error('none'))
    written.then(
      () => setState('copied'),
      () => setState('shown'),
    )
  }
  return (
    <>
      <button type="button" class="small" onClick={copy} onBlur={() => state === 'copied' && setState('idle')}>
        {label}
      </button>
      <span class="copied" role="status">
        {state === 'copied' ? 'Copied' : ''}
      </span>
      {state === 'shown' && <Selected text={text} onClose={() => setState('idle')} />}
    </>
  )
}

function Selected({ text, onClose }: { text: string; onClose: () => void }) {
  const ref = useRef<HTMLTextAreaElement>(null)
  useEffect(() => ref.current?.select(), [])
  return (
    <Dialog title="Copy this text" onClose={onClose}>
      <textarea ref={ref} readOnly rows={6} aria-label="Text to copy" value={text} />
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}
