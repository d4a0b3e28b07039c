/** What the engine says of a container's process: running, stopped by a signal or the engine's pause, exited, or no such container. */
import type { Container } from 'dockerode';
import type { ProcessState } from '../runtime.ts';
import { call, statusOf } from './call.ts';

const inspect = async (container: Container, name: string): Promise<ProcessState> => {
  try {
    const { State } = await call(`looking at ${name}`, (abortSignal) => container.inspect({ abortSignal }));
    if (State.Paused) return 'stopped';
    return State.Running ? 'running' : 'exited';
  } catch (error) {
    if (error instanceof Error && statusOf(error.cause ?? {}) === 404) return 'absent';
    throw error;
  }
};

/** SIGSTOP does not show in `inspect`; `top` runs ps where the engine runs, so it works from another machine or a VM's host too. */
const everyProcessStopped = async (container: Container, name: string): Promise<boolean> => {
  const { Processes } = await call(`looking at the processes of ${name}`, (abortSignal) =>
    container.top({ ps_args: '-o pid,stat', abortSignal }),
  );
  return (Processes as [string, string][]).every(([, stat]) => stat.startsWith('T'));
};

/** @throws InfrastructureError */
export const processState = async (container: Container, name: string): Promise<ProcessState> => {
  const state = await inspect(container, name);
  if (state !== 'running') return state;
  try {
    return (await everyProcessStopped(container, name)) ? 'stopped' : 'running';
  } catch (error) {
    // It may have ended between the two questions.
    const now = await inspect(container, name);
    if (now === 'running') throw error;
    return now;
  }
};
