/** Small parts that every screen uses. */
import type { ComponentChildren } from 'preact'
import type { LeadStatus } from '../../src/contract/leads.js'
import { addressOf, goTo, type To } from '../api/place.js'
import type { Resource } from '../api/resource.js'

interface LinkProps extends To {
  class?: string
  children: ComponentChildren
  current?: boolean
}

/** A link inside the console. It changes the address without loading the page again. */
export function Link({ children, class: className, current, ...to }: LinkProps) {
  const href = addressOf(to)
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    goTo(href)
  }
  return (
    <a href={href} class={className} onClick={open} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  )
}

/** A text from outside that may be an address. Only http and https become links. */
export function Outside({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <>{url}</>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  )
}

interface PanelProps {
  title: string
  side?: ComponentChildren
  class?: string
  children: ComponentChildren
}

export function Panel({ title, side, class: className = '', children }: PanelProps) {
  return (
    <section class={`panel ${className}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {side !== undefined && <div class="side">{side}</div>}
      </header>
      {children}
    </section>
  )
}

/** Says what to do first in an empty list. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  )
}

/** Shows data when it is there, an error, or that it is being read. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children: (data: T) => ComponentChildren }) {
  return (
    <>
      {of.error && (
        <p class="problem" role="alert">
          {of.error.message} <code>{of.error.code}</code>
        </p>
      )}
      {of.data !== null ? children(of.data) : of.error ? null : <p class="quiet reading">Reading...</p>}
    </>
  )
}

const statusTones: Readonly<Record<LeadStatus, string>> = {
  new: 'plain',
  queued: 'blue',
  scheduled: 'violet',
  held: 'amber',
  dialing: 'green',
  on_call: 'green',
  callback_scheduled: 'teal',
  done: 'plain',
  out_of_queue: 'red',
}

/** A status in words: `callback_scheduled` becomes `callback scheduled`. */
export const words = (name: string): string => name.replaceAll(/[_.]/g, ' ')

export const toneOf = (status: LeadStatus): string => statusTones[status]

export function Tag({ tone = 'plain', children }: { tone?: string; children: ComponentChildren }) {
  return <span class={`tag ${tone}`}>{children}</span>
}

export const StatusTag = ({ status }: { status: LeadStatus }) => <Tag tone={toneOf(status)}>{words(status)}</Tag>

export const count = (many: number): string => many.toLocaleString('en-US')

/** JSON, indented, as text. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  )
}
