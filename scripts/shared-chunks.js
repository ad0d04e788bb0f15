// Decides what the entries of the bundle import together, so that a command is read from few files. The bundler makes a
// chunk of the modules that the same entries import, and each module that is imported on demand is an entry. By itself it
// puts the modules that every command loads into fifty chunks. Opening and linking a file takes longer than compiling it.
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Loaded before every command, and everything that a command imports on demand. */
const program = ['src/cli/base/main.ts', 'src/cli/base/command.ts']
/** Loaded by everything that sends a request. */
const client = 'src/client/client.ts'
const sendsRequests = 'src/client/http.ts'

/** Modules that the start modules import; with `onDemand`, also those that they import when they need them. */
function reachedFrom(inputs, starts, { onDemand = false } = {}) {
  const reached = new Set(starts)
  for (const path of reached)
    for (const { path: to, kind } of inputs[path]?.imports ?? [])
      if (to in inputs && (onDemand || kind !== 'dynamic-import')) reached.add(to)
  return reached
}

/** A plugin for a build with these options. The entries in `apart` are not part of the program. */
export async function sharedChunks(root, options, apart) {
  const { metafile } = await build({ ...options, write: false, metafile: true })
  const { inputs } = metafile
  const nameOf = (path) => relative(root, path).replaceAll('\\', '/')
  const usedApart = reachedFrom(inputs, apart.map(nameOf), { onDemand: true })
  const together = [
    { modules: program, isFor: (entry) => !usedApart.has(entry) },
    { modules: [client], isFor: (entry) => reachedFrom(inputs, [entry]).has(sendsRequests) },
  ].map((group) => ({ ...group, reached: reachedFrom(inputs, group.modules) }))
  const importedOnDemand = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ path, kind }) => kind === 'dynamic-import' && path in inputs).map(({ path }) => path),
  )
  const added = new Map()
  for (const entry of new Set([...options.entryPoints.map(nameOf), ...importedOnDemand])) {
    const groups = together.filter(({ reached, isFor }) => !reached.has(entry) && isFor(entry))
    if (groups.length > 0)
      added.set(
        join(root, entry),
        groups.flatMap(({ modules }) => modules),
      )
  }
  // The main module itself starts with the base command.
  added.set(join(root, program[0]), program.slice(1))
  return {
    name: 'shared-chunks',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const modules = added.get(path)
        if (!modules) return undefined
        const imports = modules.map((module) => `import ${JSON.stringify(join(root, module))};`)
        return { contents: imports.join('') + readFileSync(path, 'utf8'), loader: 'ts' }
      })
    },
  }
}
