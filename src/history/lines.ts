/** Cuts a stream of bytes into lines, and says of the last whether it was whole. */

export interface Line {
  readonly text: string;
  /** Ended by a newline. Only the last line of a file can lack it: the writer was cut off, or the file was. */
  readonly whole: boolean;
}

export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = data.indexOf(0x0a); to !== -1; to = data.indexOf(0x0a, from)) {
      yield { text: data.toString('utf8', from, to), whole: true };
      from = to + 1;
    }
    rest = Buffer.from(data.subarray(from));
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), whole: false };
}
