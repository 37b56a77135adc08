/**
 * `npm run faults`: whole runs behind a proxy that spoils answers, as many rounds as a person has time for; or the proxy
 * alone, in front of any server.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { calm, endpointKinds, inWords, night, type Night } from '../../support/faults/spoiltNight.ts';
import { Spoiler } from './proxy.ts';

const { values } = parseArgs({
  options: {
    endpoint: { type: 'string', multiple: true, default: [...endpointKinds] },
    share: { type: 'string', default: '0.25' },
    seed: { type: 'string', default: 'night' },
    rounds: { type: 'string', default: '3' },
    restarts: { type: 'string', default: '1' },
    proxy: { type: 'string' },
    port: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

const usage = `npm run faults -- [options]
  --endpoint tinker|openai|verl  Which runs; may be repeated (default: all).
  --share SHARE                  Of the answers that are spoilt, 0 to 1 (default: 0.25).
  --seed TEXT                    Another one spoils others (default: night).
  --rounds N                     Runs of each endpoint (default: 3).
  --restarts N                   How often the server is started anew in each run (default: 1).
  --proxy URL [--port N]         Only the proxy, in front of the server at URL, until Ctrl-C.`;

const number = (text: string, name: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0) return value;
  console.error(`--${name} wants a number, not "${text}".\n${usage}`);
  process.exit(2);
};

const share = number(values.share, 'share');
const { seed } = values;

async function proxyAlone(target: string): Promise<void> {
  const spoiler = await Spoiler.start({
    target: target.replace(/\/+$/, ''),
    share,
    seed,
    port: number(values.port, 'port'),
  });
  console.log(`Spoils ${(100 * share).toFixed(0)} % of the answers of ${target} at ${spoiler.url}. Ctrl-C ends it.`);
  process.once('SIGINT', () => {
    const { answers, spoilt } = spoiler.counts;
    console.log(`\n${answers} answers: ${[...spoilt].map(([name, count]) => `${count} ${name}`).join(', ')}`);
    process.exit();
  });
}

/** @returns what went wrong, in words */
async function rounds(kind: (typeof endpointKinds)[number]): Promise<string[]> {
  const quiet: Night = await night(kind, calm);
  if (quiet.landing.state !== 'finished')
    return [`${kind}: the undisturbed run: ${quiet.landing.error?.message ?? ''}`];
  const wrong: string[] = [];
  for (let round = 1; round <= number(values.rounds, 'rounds'); round++) {
    // Somewhere in the course of the run, evenly.
    const times = number(values.restarts, 'restarts');
    const restartAfter = Array.from({ length: times }, (_, i) => Math.ceil((quiet.answers * (i + 1)) / (times + 1)));
    const weather = { share, seed: `${seed}/${round}`, restartAfter };
    const made = await night(kind, weather);
    console.log(`${round}. ${inWords(kind, made, quiet)}`);
    if (made.landing.state !== 'finished')
      wrong.push(`${kind}, seed ${weather.seed}: ${made.landing.error?.stack ?? ''}`);
    for (const [name, left] of Object.entries(quiet.left)) {
      if (!isDeepStrictEqual(made.left[name], left)) wrong.push(`${kind}, seed ${weather.seed}: other ${name}`);
    }
  }
  return wrong;
}

if (values.help) console.log(usage);
else if (values.proxy !== undefined) await proxyAlone(values.proxy);
else {
  const wrong: string[] = [];
  for (const kind of endpointKinds) if (values.endpoint.includes(kind)) wrong.push(...(await rounds(kind)));
  console.log(wrong.length === 0 ? 'Every run ended as an undisturbed one.' : `\n${wrong.join('\n')}`);
  process.exit(wrong.length === 0 ? 0 : 1);
}
