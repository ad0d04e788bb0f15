/** The address of a file of the built program. The bundler moves the files of this folder into a folder of shared parts. */
export function builtFile(path: string): URL {
  const here = import.meta.url
  return new URL(path, here.slice(0, here.lastIndexOf('/dist/') + '/dist/'.length))
}
