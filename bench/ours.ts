/** redlock-chaos itself: until ready, and, to compare like with like, until started. */
import { Cluster } from '../src/infra/cluster.ts';
import { DockerRuntime } from '../src/infra/docker/runtime.ts';
import type { Contestant, Course } from './contestant.ts';

const never = new AbortController().signal;

const openRuntime = ({ docker, plan }: Course, project: string): DockerRuntime =>
  new DockerRuntime({ docker, project, kept: false, file: plan.file, say: () => {} });

export const oursReady: Contestant = {
  name: 'redlock-chaos',
  until: 'ready',
  start: async (course, project) => {
    const runtime = openRuntime(course, project);
    try {
      const cluster = await Cluster.start({ runtime, plan: course.plan, signal: never });
      await cluster[Symbol.asyncDispose]();
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
    return () => runtime[Symbol.asyncDispose]();
  },
};

export const oursStarted: Contestant = {
  name: 'redlock-chaos',
  until: 'started',
  start: async (course, project) => {
    const runtime = openRuntime(course, project);
    try {
      await runtime.startPods(course.plan.pods, never);
      await runtime.startNodes(course.plan.nodes, never);
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
    return () => runtime[Symbol.asyncDispose]();
  },
};
