/** An OpenEnv server in a thread of its own: 64 sessions, whose answers take half to one and a half of a mean time. */
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { FakeOpenenv, observed, type FakeSession } from '../../../test/support/openenv/fakeOpenenv.ts';

const { sessions, answer, steps } = z
  .object({ sessions: z.number(), answer: z.number(), steps: z.number() })
  .parse(workerData);
/** In which order sessions began. */
const began = new Map<FakeSession, number>();
const fake = new FakeOpenenv();
fake.sessions = sessions;
fake.says = ({ type }, session) => {
  if (type !== 'reset' && type !== 'step') return false;
  session.total = type === 'reset' ? 0 : session.total + 1;
  const { total, send } = session;
  if (type === 'reset') began.set(session, began.size);
  // Done with reward 1 after so many steps: the fake's own episodes end at 3.
  const text = total >= steps ? observed(3) : observed(0);
  // Every session has the same times in its own order, so that all episodes take the same.
  const place = (total * 7 + (began.get(session) ?? 0)) % (steps + 1);
  setTimeout(() => send(text), answer * (0.5 + place / steps));
  return true;
};
await fake.start();
parentPort?.postMessage(fake.url);
