// Stands for a run's process: it is done at once, or (`stay`) tells where it is twice a second.
import { appendFileSync } from 'node:fs';

const [how, file] = process.argv.slice(2);
const place = (epoch) => ({
  ...{ epoch, epochs: 1000, epochSince: 0, secondsLeft: 10 - epoch / 100, pausing: false, loads: [] },
  phases: [{ phase: 'attempt', epoch, done: epoch, total: 1000, tokens: epoch }],
});
process.on('message', (message) => {
  if (message.type === 'keys' && how === 'stay') {
    let epoch = 0;
    setInterval(() => process.send({ type: 'live', place: place(epoch++) }), 500);
    return;
  }
  if (message.type === 'keys') appendFileSync(file, `${process.env.GENENV_QUEUED_RUN} ${Date.now()}\n`);
  process.send({ type: 'landed', how: message.type === 'keys' ? 'finished' : 'interrupted', why: '', epoch: 1 });
  process.disconnect();
});
