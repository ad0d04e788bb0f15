/** Text functions that cli-table3 calls for every cell. The package publishes no types for them. */
declare module 'cli-table3/src/utils.js' {
  const utils: {
    strlen: (text: string) => number
    truncate: (text: string, width: number, mark?: string) => string
    pad: (text: string, width: number, sign: string, side?: string) => string
  }
  export default utils
}
