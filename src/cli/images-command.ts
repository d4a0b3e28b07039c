/** `redlock-chaos images`: has what docker mode runs, pulled or made here. */
import type { Command } from 'commander';
import { readComposeFile } from '../infra/compose/file.ts';
import { buildImages } from '../infra/docker/build-images.ts';
import { connectEngine } from '../infra/docker/engine.ts';
import { chooseImage } from '../infra/docker/images.ts';
import { composePath } from './package-root.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const pull = async (flags: { composeFile?: string }): Promise<void> => {
  const { services } = readComposeFile(flags.composeFile ?? composePath());
  const docker = await connectEngine();
  for (const image of new Set(Object.values(services).map((service) => service.image))) {
    const { name, id } = await chooseImage(docker, image, say);
    say(`${name}  ${id.slice(0, 19)}`);
  }
};

export const addImagesCommand = (program: Command): void => {
  const images = program.command('images').description('Have the images that docker mode runs').exitOverride();
  images
    .command('pull')
    .description('Pull the images that are missing; what `images build` made will do')
    .option('--compose-file <file>', 'another description of the servers')
    .action(pull);
  images
    .command('build')
    .description("Make images of this machine's own redis-server and toxiproxy-server, under our own names")
    .action(async () => buildImages(await connectEngine(), say));
};
