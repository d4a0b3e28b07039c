/** Ctrl-C and SIGTERM: the first asks the run to end and clean up, further ones say that it is doing so. */
import { InterruptedError } from '../model/errors.ts';

export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

export const listenForInterrupt = (say: (line: string) => void): Interrupt => {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      say('Already stopping: healing, then removing what this run started. It takes a few seconds.');
      return;
    }
    say(`${name}: stopping, and removing what this run started.`);
    controller.abort(new InterruptedError(name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
};
