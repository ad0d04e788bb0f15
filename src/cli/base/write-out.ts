/** Writes text to a stream, and waits until the stream has accepted it, which gives backpressure. */
export function writeOut(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}
