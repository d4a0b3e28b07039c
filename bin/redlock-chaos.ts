#!/usr/bin/env node
/** The composition root: hands the scenarios of chaos/ to the command line. */
import { SCENARIOS } from '../chaos/catalogue.ts';
import { main } from '../src/cli/main.ts';

await main(process.argv, SCENARIOS);
