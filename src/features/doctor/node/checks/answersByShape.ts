/** Whether a server writes what a JSON Schema says, and in which way it must be asked. */
import * as l10n from '@vscode/l10n';
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

/** Servers that know no such field fail at it as often as they are asked. */
const tries = 2;

export async function answersByShape({ facts: { server }, connection, signal }: ChatSubject): Promise<DoctorLine> {
  const title = l10n.t('JSON by a schema');
  const patient = new Server([connection], server.model, server.dialect, tries);
  const found: string[] = [];
  for (const way of server.dialect.shapes) {
    const what = await tried(way);
    if (what === null)
      return yes(
        title,
        l10n.t('"{0}" was obeyed.', way),
        l10n.t('Answers of a form can be enforced; runs of today ask for none.'),
      );
    found.push(what);
  }
  const evidence = found.length === 0 ? l10n.t('It has no field for it.') : `${found.join('; ')}.`;
  return unknown(title, evidence, l10n.t('Answers of a form cannot be enforced; runs of today ask for none.'));

  /** Null when it was obeyed, else what came of it, as a clause. */
  async function tried(way: ShapeWay): Promise<string | null> {
    const messages = [{ role: 'user' as const, content: 'Say hello.' }];
    const ask = { messages, n: 1, seed: 3, maxTokens: 64, temperature: 0, shape: { way, schema } };
    try {
      const [answer] = await patient.chat(0, ask, false, signal);
      return obeyed.safeParse(parseOrUndefined(answer?.text ?? '')).success
        ? null
        : l10n.t('"{0}" was passed over', way);
    } catch (error) {
      if (EndpointError.is(error, 'refused')) return l10n.t('"{0}" was refused', way);
      if (EndpointError.is(error, 'failed'))
        return l10n.t('"{0}" failed (status {1})', way, error.status ?? l10n.t('unknown'));
      throw error;
    }
  }
}
