/** Whether a server writes what a JSON Schema says, and in which way it must be asked. */
import * as z from 'zod';
import { parseOrUndefined } from '../../../../shared/json.ts';
import { EndpointError } from '../../../../endpoints/endpointError.ts';
import type { ShapeWay } from '../../../../endpoints/openai/shapes.ts';
import { unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import { Server } from '../../../../endpoints/openai/server.ts';
import type { ChatSubject } from './chatSubject.ts';

/** Nothing that a model would write by itself. */
const word = 'plum-7Q';
const schema = {
  type: 'object',
  properties: { answer: { type: 'string', enum: [word] } },
  required: ['answer'],
  additionalProperties: false,
};
const obeyed = z.strictObject({ answer: z.literal(word) });
const title = 'JSON by a schema';

/** Servers that know no such field fail at it as often as they are asked. */
const tries = 2;

export async function answersByShape({ facts: { server }, connection, signal }: ChatSubject): Promise<DoctorLine> {
  const patient = new Server([connection], server.model, server.dialect, tries);
  const found: string[] = [];
  for (const way of server.dialect.shapes) {
    const what = await tried(way);
    if (what === null)
      return yes(title, `"${way}" was obeyed.`, 'Answers of a form can be enforced; runs of today ask for none.');
    found.push(`"${way}" ${what}`);
  }
  const evidence = found.length === 0 ? 'It has no field for it.' : `${found.join('; ')}.`;
  return unknown(title, evidence, 'Answers of a form cannot be enforced; runs of today ask for none.');

  /** Null when it was obeyed, else what came of it, as a clause. */
  async function tried(way: ShapeWay): Promise<string | null> {
    const messages = [{ role: 'user' as const, content: 'Say hello.' }];
    const ask = { messages, n: 1, seed: 3, maxTokens: 64, temperature: 0, shape: { way, schema } };
    try {
      const [answer] = await patient.chat(0, ask, false, signal);
      return obeyed.safeParse(parseOrUndefined(answer?.text ?? '')).success ? null : 'was passed over';
    } catch (error) {
      if (EndpointError.is(error, 'refused')) return 'was refused';
      if (EndpointError.is(error, 'failed')) return `failed (status ${error.status ?? 'unknown'})`;
      throw error;
    }
  }
}
