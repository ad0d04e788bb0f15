/** The project's own files as the tidy rules read them: path, text and, for code, the syntax tree. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export interface Source {
  /** From the top of the project, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Every text file that is or may be committed, this moment's changes included. */
export function projectFiles(): Source[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return listed
    .split('\0')
    .filter((path) => path !== '' && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

/** True for TypeScript below one of the folders. */
export function isCodeIn(path: string, ...folders: string[]): boolean {
  return path.endsWith('.ts') && folders.some((folder) => path.startsWith(`${folder}/`))
}

const trees = new WeakMap<Source, ts.SourceFile>()

export function treeOf(source: Source): ts.SourceFile {
  const tree =
    trees.get(source) ??
    ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, /* setParentNodes */ true)
  trees.set(source, tree)
  return tree
}

/** Every node of the file, outermost first. */
export function* nodesOf(source: Source): Generator<ts.Node> {
  const waiting: ts.Node[] = [treeOf(source)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node
    const children: ts.Node[] = []
    ts.forEachChild(node, (child) => void children.push(child))
    waiting.push(...children.reverse())
  }
}

/** `path:line`, as editors and terminals follow it. */
export function placeOf(source: Source, node: ts.Node): string {
  const tree = treeOf(source)
  return `${source.path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`
}
