/** Who imports whom: every import of a file, of a package or of ours, in any of the forms it can take. */
import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import ts from 'typescript'
import { nodesOf, placeOf, type Source } from './source.js'

export interface Import {
  /** `path:line` of the import. */
  readonly place: string
  readonly from: string
  /** The path of our file, or the package's name; `node:` in front of what comes with Node. */
  readonly to: string
  readonly ours: boolean
  /** `types` is gone once compiled; `lazily` is `import()`, done when it is reached. */
  readonly loads: 'types' | 'at start' | 'lazily'
}

type Kind = Import['loads']

const typesOnly = (node: ts.ImportDeclaration) => node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword

/** The specifier and kind of an import, or undefined for any other node. */
function specifierOf(node: ts.Node): { specifier: ts.Node; loads: Kind } | undefined {
  if (ts.isImportDeclaration(node)) {
    return { specifier: node.moduleSpecifier, loads: typesOnly(node) ? 'types' : 'at start' }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: node.moduleSpecifier, loads: node.isTypeOnly ? 'types' : 'at start' }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: node.argument.literal, loads: 'types' }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0]) {
    return { specifier: node.arguments[0], loads: 'lazily' }
  }
  return undefined
}

function targetOf(from: string, specifier: string): Pick<Import, 'to' | 'ours'> {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(from), specifier)
    // Compiled names are written; the sources are TypeScript, except the launchers.
    return { to: path.startsWith('bin/') ? path : path.replace(/\.js$/, '.ts'), ours: true }
  }
  if (specifier.startsWith('node:')) return { to: specifier, ours: false }
  if (builtinModules.includes(specifier)) return { to: `node:${specifier}`, ours: false }
  const parts = specifier.split('/')
  return { to: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/'), ours: false }
}

export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  for (const node of nodesOf(source)) {
    const read = specifierOf(node)
    if (read === undefined || !ts.isStringLiteralLike(read.specifier)) continue
    const target = targetOf(source.path, read.specifier.text)
    found.push({ place: placeOf(source, node), from: source.path, loads: read.loads, ...target })
  }
  return found
}

/** The shortest way from a file along some of its imports to one that is sought: the imports passed, or undefined. */
export function wayTo(
  start: string,
  imports: ReadonlyMap<string, readonly Import[]>,
  isSought: (to: Import) => boolean,
): Import[] | undefined {
  const waiting: { at: string; way: Import[] }[] = [{ at: start, way: [] }]
  const seen = new Set([start])
  for (const { at, way } of waiting) {
    for (const next of imports.get(at) ?? []) {
      if (isSought(next)) return [...way, next]
      if (!next.ours || seen.has(next.to)) continue
      seen.add(next.to)
      waiting.push({ at: next.to, way: [...way, next] })
    }
  }
  return undefined
}
