/** Something that brings the same servers up in the same engine, and takes them away again. */
import type Docker from 'dockerode';
import { interpolate, userEnvironment } from '../src/infra/compose/interpolate.ts';
import type { ClusterPlan, ServicePlan } from '../src/infra/plan.ts';

export interface Course {
  readonly docker: Docker;
  readonly plan: ClusterPlan;
  /** The image chosen for each of the plan's. */
  readonly images: ReadonlyMap<string, string>;
}

export interface Contestant {
  readonly name: string;
  /** `ready`: as semantics.md has it. `started`: the engine has started every container, and that is all. */
  readonly until: 'ready' | 'started';
  /** `project`: its own name for each time, also the value of the label of everything it makes. Resolves to what removes it. */
  readonly start: (course: Course, project: string) => Promise<() => Promise<void>>;
}

export const LABEL = 'redlock-chaos.bench';

export const fill = (text: string): string => interpolate(text, userEnvironment());

export const imageOf = ({ images }: Course, service: ServicePlan): string => images.get(service.image) ?? service.image;
