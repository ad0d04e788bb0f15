/** Data that a screen reads, and reads again when it may have changed. Old data stays visible meanwhile. */
import { useEffect, useState } from 'preact/hooks'
import { changes } from './pulse.js'
import { needsToken, type RequestError } from './request.js'

export interface Resource<T> {
  data: T | null
  error: RequestError | null
  /** Whether the data belongs to another question, which is being answered. */
  isStale: boolean
}

/** Reads data for a key. `read` runs again when the key or the world changes. */
export function useResource<T>(key: string, read: (signal: AbortSignal) => Promise<T>, isLive = true): Resource<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: RequestError | null }>({
    key: '',
    data: null,
    error: null,
  })
  const change = isLive ? changes.value : 0
  const isAllowed = !needsToken.value
  useEffect(() => {
    if (!isAllowed) return undefined
    const stop = new AbortController()
    read(stop.signal).then(
      (data) => !stop.signal.aborted && setState({ key, data, error: null }),
      (error: RequestError) =>
        !stop.signal.aborted && setState((last) => ({ key, data: last.key === key ? last.data : null, error })),
    )
    return () => stop.abort()
  }, [key, change, isAllowed])
  return { data: state.data, error: state.error, isStale: state.key !== key }
}
