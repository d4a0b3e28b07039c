/** `redlock-chaos images build`: images from this machine's own programs, where no registry can be reached. */
import type { Command } from 'commander';
import { buildImages } from '../infra/docker/build-images.ts';
import { connectEngine } from '../infra/docker/engine.ts';

export const addImagesCommand = (program: Command): void => {
  program
    .command('images')
    .description('Manage the images that docker mode runs')
    .command('build')
    .description("Make images of this machine's own redis-server and toxiproxy-server, under our own names")
    .action(async () => {
      await buildImages(await connectEngine(), (line) => void process.stdout.write(`${line}\n`));
    });
};
