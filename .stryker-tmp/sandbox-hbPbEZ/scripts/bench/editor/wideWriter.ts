/** Journals epochs of 10,000 families below a folder, one every few seconds, until it is ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLargeRun } from './largeRun.ts';

const [, , root = ''] = process.argv;
await writeLargeRun(root, { name: 'wide', epochs: 200, families: 10_000, records: false }, () => sleep(3000));
