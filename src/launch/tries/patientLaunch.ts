/** A run in this process that waits for what is away, as the queue waits between the tries of its runs. */
import { machineTime, sleep } from '../../endpoints/time.ts';
import { launch, type Landing, type Launch } from '../launch.ts';
import { howLanded, howNotOpened, type HowEnded } from './howEnded.ts';
import { nextTry, noTries, triesAfter, type How } from '../../shared/nextTry.ts';

export interface Waiting {
  /** In a sentence. */
  why: string;
  /** Until it is tried again. */
  milliseconds: number;
}

type Tried = HowEnded & ({ landing: Landing } | { thrown: unknown });

/**
 * A failure of its own ends it: here no fresh process may cure it. So does a missing key, as this process has the same
 * keys and consents until it ends.
 *
 * @param onWait called before each wait
 * @throws the errors of `launch`
 */
export async function patientLaunch(options: Launch, onWait: (waiting: Waiting) => void): Promise<Landing> {
  const { signal, time = machineTime } = options;
  let { start } = options;
  let [epoch, tries] = [0, noTries];
  const attempt = async (): Promise<Tried> => {
    try {
      const landing = await launch({
        ...options,
        start,
        onRun: (id, dir, state) => {
          epoch = state.summaries.length;
          if (start === options.start) options.onRun?.(id, dir, state);
          start = { resume: id };
        },
        onEvent: (event, state) => {
          epoch = state.summaries.length;
          options.onEvent?.(event, state);
        },
      });
      return { landing, ...howLanded(landing) };
    } catch (thrown) {
      return { thrown, ...howNotOpened(thrown) };
    }
  };
  for (;;) {
    const tried = await attempt();
    const next = mayWait(tried) ? nextTry(tried.how, { epoch, tries, retries: 0 }) : null;
    if (next === null) {
      if ('thrown' in tried) throw tried.thrown;
      return tried.landing;
    }
    tries = triesAfter(tries, next.delay, epoch);
    const { milliseconds } = next;
    onWait({ why: tried.why, milliseconds });
    try {
      await sleep(time, milliseconds, signal);
    } catch (ended) {
      if ('landing' in tried) return { id: tried.landing.id, state: 'paused' };
      throw ended;
    }
  }
}

/** Parts of an abandoned run may still be at work in this process. */
const mayWait = (tried: Tried): boolean =>
  isAway(tried.how) && !('landing' in tried && tried.landing.abandoned === true);

const isAway = (how: How): boolean => how === 'server' || how === 'disk' || how === 'busy';
