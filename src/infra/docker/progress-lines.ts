/** Follows the JSON lines in which the engine tells of a long task: errors come inside them, with status 200. */
import type { Readable } from 'node:stream';
import { within } from '../../model/deadline.ts';
import { InfrastructureError, messageOf } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/**
 * Resolves when the task is done. The call that began it has resolved long before (apocas/dockerode #647).
 * @throws InfrastructureError with the error in the stream, or when nothing comes for `silence`.
 */
export const followToEnd = async (what: string, stream: Readable, silence: Millis): Promise<void> => {
  const lines = linesOf(stream);
  try {
    for (;;) {
      const { value, done } = await within(silence, `Docker, ${what}`, lines.next());
      if (done) return;
      const { error } = JSON.parse(value) as { error?: string };
      if (error !== undefined) throw new InfrastructureError(`Docker, ${what}: ${error}`);
    }
  } catch (cause) {
    if (cause instanceof InfrastructureError) throw cause;
    throw new InfrastructureError(`Docker, ${what}: ${messageOf(cause)}`, { cause });
  } finally {
    stream.destroy();
  }
};
