/** Buttons that run an action: at once, after a question, or with the values of a form. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { curlOf, perform, pointedAt, type Action } from '../api/action.js'
import { Dialog } from './dialog.js'

interface Common {
  label: string
  /** What is reported when it succeeded. */
  said?: string
  tone?: 'main' | 'danger' | 'small'
  isDisabled?: boolean
  title?: string
  children?: ComponentChildren
}

interface ActionButtonProps extends Common {
  action: Action
  /** Asks before it runs. */
  question?: string
}

const pointAt = (action: Action) => ({
  onPointerEnter: () => (pointedAt.value = action),
  onFocus: () => (pointedAt.value = action),
})

export function ActionButton({ label, action, question, said, tone, isDisabled, children, title }: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const run = async () => {
    setAsking(false)
    setBusy(true)
    await perform(action, said)
    setBusy(false)
  }
  return (
    <>
      <button
        type="button"
        class={tone}
        disabled={isDisabled || isBusy}
        title={title}
        {...pointAt(action)}
        onClick={() => (question === undefined ? void run() : setAsking(true))}
      >
        {children ?? label}
      </button>
      {isAsking && (
        <Dialog title={label} onClose={() => setAsking(false)}>
          <p>{question}</p>
          <Commands action={action} />
          <div class="row end">
            <button type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button type="button" class="danger" onClick={() => void run()}>
              {label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

export interface Field {
  name: string
  label: string
  type?: 'text' | 'number' | 'textarea' | 'select' | 'checks'
  options?: readonly (readonly [value: string, label: string])[]
  value?: string
  isRequired?: boolean
  hint?: string
}

export type Values = Record<string, string>

interface FormButtonProps extends Common {
  title?: string
  fields: readonly Field[]
  /** The action for the values. Checked boxes are joined with commas. */
  build: (values: Values) => Action
  intro?: ComponentChildren
}

export function FormButton(props: FormButtonProps) {
  const { label, tone, isDisabled, children } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class={tone} disabled={isDisabled} onClick={() => setOpen(true)}>
        {children ?? label}
      </button>
      {isOpen && <FormDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const initial = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.map(({ name, value, options }) => [name, value ?? options?.[0]?.[0] ?? '']))

function FormDialog({
  label,
  title = label,
  fields,
  build,
  said,
  intro,
  onClose,
}: FormButtonProps & { onClose: () => void }) {
  const [values, setValues] = useState(() => initial(fields))
  const [isBusy, setBusy] = useState(false)
  const action = build(values)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    if (await perform(build(values), said)) onClose()
    else setBusy(false)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {intro}
        {fields.map((field) => (
          <Entry
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <Commands action={action} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={isBusy}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface EntryProps {
  field: Field
  value: string
  onChange: (value: string) => void
}

function Entry({ field: { label, type = 'text', options = [], isRequired, hint, name }, value, onChange }: EntryProps) {
  const id = useId()
  const common = {
    id,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    name,
    value,
    required: isRequired,
    onInput: (event: Event) => onChange((event.target as HTMLInputElement).value),
  }
  if (type === 'checks') {
    const chosen = value.split(',').filter((one) => one !== '')
    const toggle = (one: string) =>
      onChange((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join(','))
    return (
      <fieldset>
        <legend>{label}</legend>
        <div class="checks">
          {options.map(([one, text]) => (
            <label key={one} class="check">
              <input type="checkbox" checked={chosen.includes(one)} onChange={() => toggle(one)} /> {text}
            </label>
          ))}
        </div>
      </fieldset>
    )
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'select' ? (
        <select {...common}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      ) : type === 'textarea' ? (
        <textarea rows={4} {...common} />
      ) : (
        <input {...common} {...(type === 'number' ? { type, step: 'any' } : { type: 'text' })} autocomplete="off" />
      )}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </div>
  )
}

/** The commands of an action, inside a dialog. */
function Commands({ action }: { action: Action }) {
  return (
    <details class="commands">
      <summary>The same from a terminal</summary>
      <code>{action.svc}</code>
      <code>{curlOf(action.http)}</code>
    </details>
  )
}
