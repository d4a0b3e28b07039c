/** A container's output, taken out of the stream in which the engine interleaves stdout and stderr. */

const HEADER = 8;

/** Each frame: one byte for the stream, three of padding, four for the length. https://docs.docker.com/reference/api/engine/ (attach) */
export const decodeLogs = (stream: Buffer): string => {
  const parts: Buffer[] = [];
  for (let at = 0; at + HEADER <= stream.length; ) {
    const length = stream.readUInt32BE(at + 4);
    parts.push(stream.subarray(at + HEADER, at + HEADER + length));
    at += HEADER + length;
  }
  return Buffer.concat(parts).toString('utf8');
};
