/** A search field. It waits for a pause in the typing. */
import { useEffect, useRef, useState } from 'preact/hooks'

const typingMs = 200

interface SearchBoxProps {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
}

export function SearchBox({ label, placeholder, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    setText(value)
    return () => clearTimeout(timer.current)
  }, [value])
  const type = (typed: string) => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(typed.trim()), typingMs)
  }
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
    />
  )
}
