/** How much longer than usual the tests are that find more the longer they run: `npm run torture` says. */
export const longer = Number(process.env['TORTURE'] ?? 1)
