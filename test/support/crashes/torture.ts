/** Factor for the length of tests that find more the longer they run. `npm run torture` sets it. */
export const longer = Number(process.env['TORTURE'] ?? 1)
