/** Removal when the engine will not: everything else goes, what is left is named, with the command that removes it. */
import type Docker from 'dockerode';
import { expect, it } from 'vitest';
import { removeProject } from './remains.ts';

const refusal = (statusCode: number, message: string): Error => Object.assign(new Error('wrapped'), { statusCode, json: { message } });

/** An engine with two containers and a network, of which one refuses to go so many times. */
const engine = (refusals: number, refuse = refusal(500, 'device busy')): { docker: Docker; there: Set<string> } => {
  const there = new Set(['a', 'b', 'net']);
  let left = refusals;
  const remove = async (id: string): Promise<void> => {
    if (id === 'a' && left > 0) {
      left -= 1;
      throw refuse;
    }
    if (!there.delete(id)) throw refusal(404, 'no such thing');
  };
  const list = (ids: readonly string[]): { Id: string; Name: string; Names: string[]; Labels: object; State: string }[] =>
    ids.filter((id) => there.has(id)).map((id) => ({ Id: id, Name: id, Names: [`/${id}`], Labels: {}, State: 'paused' }));
  const fake = {
    listContainers: async () => list(['a', 'b']),
    listNetworks: async () => list(['net']),
    getContainer: (id: string) => ({ remove: () => remove(id), unpause: async () => Promise.reject(refusal(500, 'not paused')) }),
    getNetwork: (id: string) => ({ remove: () => remove(id) }),
  };
  return { docker: fake as unknown as Docker, there };
};

it('tries again what was refused once', async () => {
  const { docker, there } = engine(1);
  await removeProject(docker, 'p');
  expect([...there]).toEqual([]);
});

it('says what is left and how to remove it, and removes the rest', async () => {
  const { docker, there } = engine(Number.POSITIVE_INFINITY);
  await expect(removeProject(docker, 'p')).rejects.toMatchObject({
    message: 'not everything of p could be removed: the container a (Docker, removing the container a: device busy)',
    hint: expect.stringContaining('docker rm -fv $(docker ps -aq --filter label=redlock-chaos.run=p); docker network rm p'),
  });
  expect([...there]).toEqual(['a']);
});

it('waits for what somebody else is already removing', async () => {
  const { docker, there } = engine(8, refusal(409, 'removal of container a is already in progress'));
  await removeProject(docker, 'p');
  expect([...there]).toEqual([]);
});
